"""What stands below the board: trays with their pieces, and notes."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from engines.scene import Tray, TrayItem
from engines.svg.glyphs import glyphs
from engines.svg.paint import FONT, fit, group, number, shape, words
from engines.svg.pieces import draw
from engines.svg.titles import item_title

_ITEM, _GAP, _LINE = 44.0, 8.0, 21.0
_LETTERS = 15.0
"""The size of words below the board."""

COLUMN = 146.0
"""How wide a tray is: three pieces beside each other."""

_BETWEEN = 7.0
"""Between pieces that stand beside each other."""

_GUTTER = 12.0


@dataclass(frozen=True, slots=True)
class Side:
    """The room at the right of a board, where trays stand on wide screens: a column as high as the board."""

    left: float
    top: float
    height: float
    near: int
    """The seat whose trays stand at the lower end."""


def trays(
    shown: tuple[Tray, ...], left: float, top: float, width: float, side: Side | None = None
) -> tuple[str, float]:
    """The trays in columns, each in the shortest one, and where they end.

    With a `side` each tray is wrapped twice: the inner group takes back where the outer one moves it, and a style
    sheet that lifts the inner one's transform shows the trays at the side.
    """
    columns = max(1, int((width + _GUTTER) // (COLUMN + _GUTTER)))
    lows = [top] * columns
    blocks = []
    for tray in shown:
        at = lows.index(min(lows))
        x, y = left + (COLUMN + _GUTTER) * at, lows[at]
        elements, lows[at] = _tray(tray, x, y, COLUMN)
        lows[at] += _GAP
        blocks.append(_Block(tray, group(elements, "tray"), x, y, lows[at] - y))
    drawn = _at_side(blocks, side) if side else [block.drawing for block in blocks]
    return "".join(drawn), max(lows)


@dataclass(frozen=True, slots=True)
class _Block:
    """A tray that is drawn, its left upper corner, and how high it is."""

    tray: Tray
    drawing: str
    x: float
    y: float
    height: float


def _at_side(blocks: list[_Block], side: Side) -> list[str]:
    """The blocks with where they stand at the side: the near seat's from below, the others' from above."""
    whole = sum(block.height for block in blocks)
    scale = min(1.0, side.height / whole) if whole else 1.0
    below = sum(block.height for block in blocks if block.tray.side == side.near)
    lows = {False: side.top, True: side.top + side.height - scale * below}
    moved = []
    for block in blocks:
        is_near = block.tray.side == side.near
        moved.append(_moved(block, side.left, lows[is_near], scale))
        lows[is_near] += scale * block.height
    return moved


def _moved(block: _Block, x: float, y: float, scale: float) -> str:
    across, down = x - scale * block.x, y - scale * block.y
    out = f"translate({number(across)} {number(down)})" + (f" scale({scale:.4f})" if scale < 1 else "")
    back = (f"scale({1 / scale:.4f}) " if scale < 1 else "") + f"translate({number(-across)} {number(-down)})"
    return f'<g class="beside" transform="{out}"><g class="below" transform="{back}">{block.drawing}</g></g>'


def _said(tray: Tray) -> str:
    return f"{tray.label}: {tray.note}" if tray.note else tray.label


def notes(lines: tuple[str, ...], left: float, top: float, width: float) -> tuple[str, float]:
    """The notes as wrapped lines, and where they end."""
    drawn = []
    for line in (part for note in lines for part in wrapped(note, width, _LETTERS)):
        top += _LINE
        drawn.append(words(line, left, top - 5, _LETTERS))
    return group("".join(drawn), "notes") if drawn else "", top


def _tray(tray: Tray, left: float, top: float, width: float) -> tuple[str, float]:
    lines = wrapped(_said(tray), width, _LETTERS * 1.06)
    drawn, label = [], len(tray.label.split())
    for at, line in enumerate(lines):
        bold = " ".join(line.split()[: max(0, label)])
        drawn.append(_heading(line, bold, left, top + _LINE * (at + 1) - 5))
        label -= len(line.split())
    items, low = _items(tray.items, left, top + _LINE * len(lines) + 2, width)
    return "".join((*drawn, items)), low


def _items(shown: tuple[TrayItem, ...], left: float, top: float, width: float) -> tuple[str, float]:
    drawn, x = [], left
    for item in shown:
        if x > left and x + _ITEM > left + width:
            x, top = left, top + _ITEM + _GAP
        drawn.append(_item(item, x, top))
        x += _ITEM + _BETWEEN
    return "".join(drawn), top + (_ITEM if shown else 0)


def _heading(line: str, label: str, x: float, y: float) -> str:
    """A line whose beginning, what is left of the label, is set in bold."""
    if label and line.startswith(label):
        inside = f'<tspan font-weight="bold">{fit(label)}</tspan>{fit(line[len(label) :])}'
        return shape("text", "words", inside, x=x, y=y, font_family=FONT, font_size=_LETTERS)
    return words(line, x, y, _LETTERS)


def _item(item: TrayItem, x: float, top: float) -> str:
    middle = top + _ITEM / 2
    drawn = draw(item.piece, x + _ITEM / 2, middle, _ITEM)
    if item.count != 1:
        sign = f"*{item.count}"
        wide = 6 + 9 * len(sign)
        plate = shape("rect", "tally", x=x + _ITEM + 3 - wide, y=top - 2, width=wide, height=17, rx=5)
        drawn += plate + glyphs(sign, x + _ITEM + 3 - wide / 2, top + 6.5, 9, "count", 13)
    return group(drawn, "tray-item", item.touch, item_title(item))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text as lines that fit the width when set in this size; very long words are cut."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if measure(joined) * size <= width:
            lines[-1] = joined
            continue
        lines.append(word)
        while measure(lines[-1]) * size > width and len(lines[-1]) > 1:
            kept = _fitting(lines[-1], width / size)
            lines[-1:] = [lines[-1][:kept], lines[-1][kept:]]
    return [line for line in lines if line]


def _fitting(word: str, width: float) -> int:
    """How many letters of a word fit the width, one at least."""
    return next((at for at in range(len(word), 1, -1) if measure(word[:at]) <= width), 1)


def measure(text: str) -> float:
    """About how wide the text is when set, in units of its size; rather too much than too little."""
    return sum(map(_advance, text))


@lru_cache(maxsize=1024)
def _advance(letter: str) -> float:
    if letter in "mwMW@%—…":
        return 1.0
    if letter in " iljtfrI.,:;'|!()[]-/":
        return 0.42
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.74 if letter.isupper() else 0.64
