"""What stands below the board: trays with their pieces, and notes."""

from __future__ import annotations

import unicodedata

from engines.scene import Tray, TrayItem
from engines.svg.glyphs import glyphs
from engines.svg.paint import FONT, fit, group, shape, words
from engines.svg.pieces import draw
from engines.svg.titles import item_title

_ITEM, _GAP, _LINE = 44.0, 8.0, 21.0
_LETTERS = 15.0
"""The size of words below the board."""


def trays(shown: tuple[Tray, ...], left: float, top: float, width: float) -> tuple[str, float]:
    """The trays, two side by side where both are narrow, and where they end."""
    drawn = []
    half = (width - 2 * _GAP) / 2
    for row in _rows(shown, half):
        share = width if len(row) == 1 else half
        blocks = [_tray(tray, left + (half + 2 * _GAP) * at, top, share) for at, tray in enumerate(row)]
        drawn += [group(elements, "tray") for elements, _low in blocks]
        top = max(low for _elements, low in blocks) + _GAP
    return "".join(drawn), top


def _rows(shown: tuple[Tray, ...], half: float) -> list[list[Tray]]:
    """The trays in rows of one, or of two of different owners that are no wider than half the board."""
    rows: list[list[Tray]] = []
    for tray in shown:
        last = rows[-1] if rows else []
        if len(last) == 1 and _are_rivals(tray, last[0]) and max(_breadth(tray), _breadth(last[0])) <= half:
            last.append(tray)
        else:
            rows.append([tray])
    return rows


def _are_rivals(one: Tray, other: Tray) -> bool:
    return one.side is not None and other.side is not None and one.side != other.side


def _breadth(tray: Tray) -> float:
    """How wide a tray is on one line of words and one of pieces."""
    items = sum(_width(item) + _GAP for item in tray.items) - _GAP
    return max(items, measure(_said(tray)) * _LETTERS * 1.06)


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
    drawn = [
        _heading(line, "" if at else tray.label, left, top + _LINE * (at + 1) - 5) for at, line in enumerate(lines)
    ]
    items, low = _items(tray.items, left, top + _LINE * len(lines) + 2, width)
    return "".join((*drawn, items)), low


def _items(shown: tuple[TrayItem, ...], left: float, top: float, width: float) -> tuple[str, float]:
    drawn, x = [], left
    for item in shown:
        wide = _width(item)
        if x > left and x + wide > left + width:
            x, top = left, top + _ITEM + _GAP
        drawn.append(_item(item, x, top))
        x += wide + _GAP
    return "".join(drawn), top + (_ITEM if shown else 0)


def _heading(line: str, label: str, x: float, y: float) -> str:
    """A line whose beginning, the label, is set in bold."""
    if label and line.startswith(label):
        inside = f'<tspan font-weight="bold">{fit(label)}</tspan>{fit(line[len(label) :])}'
        return shape("text", "words", inside, x=x, y=y, font_family=FONT, font_size=_LETTERS)
    return words(line, x, y, _LETTERS)


def _item(item: TrayItem, x: float, top: float) -> str:
    middle = top + _ITEM / 2
    drawn = draw(item.piece, x + _ITEM / 2, middle, _ITEM)
    if item.count != 1:
        sign = f"*{item.count}"
        drawn += glyphs(sign, x + _ITEM + 2 + 5.5 * len(sign), middle, 12, "count", 12)
    return group(drawn, "tray-item", item.touch, item_title(item))


def _width(item: TrayItem) -> float:
    return _ITEM if item.count == 1 else _ITEM + 6 + 11 * len(f"*{item.count}")


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


def _advance(letter: str) -> float:
    if letter in "mwMW@%—…":
        return 1.0
    if letter in " iljtfrI.,:;'|!()[]-/":
        return 0.42
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.74 if letter.isupper() else 0.64
