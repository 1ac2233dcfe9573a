"""Draw the area below the board: trays with their pieces, and notes."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from engines.scene import Tray, TrayItem
from engines.svg.glyphs import glyphs
from engines.svg.paint import FONT, fit, group, number, shape, words
from engines.svg.pieces import draw
from engines.svg.titles import item_title

_ITEM, _GAP, _LINE = 44.0, 8.0, 21.0
_LETTERS = 15.0
"""The font size of text below the board."""

COLUMN = 146.0
"""The width of a tray: three pieces side by side."""

_BETWEEN = 7.0
"""The gap between neighbouring pieces."""

_GUTTER = 12.0
_ABREAST = int((COLUMN + _BETWEEN) // (_ITEM + _BETWEEN))
"""The number of pieces per row of a tray."""


@dataclass(frozen=True, slots=True)
class Side:
    """The column at the right of a board for trays on wide screens, as high as the board."""

    left: float
    top: float
    height: float
    near: int
    """The seat whose trays are at the lower end."""


def trays(
    shown: tuple[Tray, ...], left: float, top: float, width: float, side: Side | None = None
) -> tuple[str, float]:
    """Draw the trays in columns, each in the shortest one; return them and their lower end.

    With a `side` each tray is in two groups: the inner one undoes the outer one's translation. A style sheet that
    removes the inner transform thus shows the trays at the side.
    """
    blocks, low = _blocks(shown, left, top, width)
    drawn = _at_side(blocks, side) if side else [block.drawn() for block in blocks]
    return "".join(drawn), low


def end(shown: tuple[Tray, ...], lines: tuple[str, ...], top: float, width: float) -> float:
    """Return the lower end of trays and notes, without drawing them."""
    _trays, low = _blocks(shown, 0, top, width)
    return low + _LINE * len(_rows(lines, width))


@dataclass(frozen=True, slots=True)
class _Block:
    """A tray with its lines of text, top left corner, and height including the gap below."""

    tray: Tray
    lines: list[str]
    x: float
    y: float
    height: float

    def drawn(self) -> str:
        """Draw the tray."""
        return group(_headings(self.tray, self.lines, self.x, self.y) + self._items(), "tray")

    def _items(self) -> str:
        top = self.y + _LINE * len(self.lines) + 2
        places = (divmod(at, _ABREAST) for at in range(len(self.tray.items)))
        return "".join(
            _item(item, self.x + (_ITEM + _BETWEEN) * column, top + (_ITEM + _GAP) * row)
            for item, (row, column) in zip(self.tray.items, places, strict=True)
        )


def _blocks(shown: tuple[Tray, ...], left: float, top: float, width: float) -> tuple[list[_Block], float]:
    """Arrange the trays in columns, each in the shortest one; return them and their lower end."""
    lows = [top] * max(1, int((width + _GUTTER) // (COLUMN + _GUTTER)))
    blocks = []
    for tray in shown:
        at, lines = lows.index(min(lows)), wrapped(_said(tray), COLUMN, _LETTERS * 1.06)
        rows = ceil(len(tray.items) / _ABREAST)
        block = _Block(tray, lines, left + (COLUMN + _GUTTER) * at, lows[at], _height(len(lines), rows))
        lows[at] += block.height
        blocks.append(block)
    return blocks, max(lows)


def _height(lines: int, rows: int) -> float:
    """Return the height of a tray by lines of text and rows of pieces, including the gap below."""
    return _LINE * lines + 2 + (_ITEM + _GAP) * rows + (0 if rows else _GAP)


def _at_side(blocks: list[_Block], side: Side) -> list[str]:
    """Position the blocks at the side: the near seat's at the bottom, others at the top."""
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
    return f'<g class="beside" transform="{out}"><g class="below" transform="{back}">{block.drawn()}</g></g>'


def _said(tray: Tray) -> str:
    return f"{tray.label}: {tray.note}" if tray.note else tray.label


def notes(lines: tuple[str, ...], left: float, top: float, width: float) -> tuple[str, float]:
    """Draw the notes as wrapped lines; return them and their lower end."""
    drawn = []
    for line in _rows(lines, width):
        top += _LINE
        drawn.append(words(line, left, top - 5, _LETTERS))
    return group("".join(drawn), "notes") if drawn else "", top


def _rows(lines: tuple[str, ...], width: float) -> list[str]:
    """Wrap notes to the width and return the lines."""
    return [part for note in lines for part in wrapped(note, width, _LETTERS)]


def _headings(tray: Tray, lines: list[str], left: float, top: float) -> str:
    """Draw the lines of text of a tray, its label in bold."""
    drawn, label = [], len(tray.label.split())
    for at, line in enumerate(lines):
        bold = " ".join(line.split()[: max(0, label)])
        drawn.append(_heading(line, bold, left, top + _LINE * (at + 1) - 5))
        label -= len(line.split())
    return "".join(drawn)


def _heading(line: str, label: str, x: float, y: float) -> str:
    """Draw a line that starts with the rest of the label in bold."""
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
    """Wrap the text to the width at this font size, cutting very long words."""
    lines, wide = [""], 0.0
    for word in text.split():
        longer = measure(f" {word}" if lines[-1] else word, wide)
        if longer * size <= width:
            lines[-1], wide = f"{lines[-1]} {word}".strip(), longer
            continue
        lines.append(word)
        while measure(lines[-1]) * size > width and len(lines[-1]) > 1:
            kept = _fitting(lines[-1], width / size)
            lines[-1:] = [lines[-1][:kept], lines[-1][kept:]]
        wide = measure(lines[-1])
    return [line for line in lines if line]


def _fitting(word: str, width: float) -> int:
    """Return the number of letters of a word that fit the width, at least one."""
    return next((at for at in range(len(word), 1, -1) if measure(word[:at]) <= width), 1)


def measure(text: str, before: float = 0.0) -> float:
    """Estimate the width of the text in units of its font size, rounding up.

    `before` is the width already used in the line; the result includes it.
    """
    return sum(map(_advance, text), before)


@lru_cache(maxsize=1024)
def _advance(letter: str) -> float:
    if letter in "mwMW@%—…":
        return 1.0
    if letter in " iljtfrI.,:;'|!()[]-/":
        return 0.42
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.74 if letter.isupper() else 0.64
