"""Render scenes as text boards: at most 72 columns, printable ASCII, clear without colour.

The squares of the last move are in brackets, other marked squares in braces. Other letters are replaced by the nearest
ASCII, so a board looks the same in every mail program.
"""

from __future__ import annotations

import textwrap
import unicodedata
from functools import lru_cache

from engines.scene import Cell, Scene, Tray

WIDTH = 72
"""Maximum line length of a text board, in characters."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("\u00a0\u2009\u202f\t\r\n", " "),
        **{"×": "x", "·": ".", "•": "*", "→": "->", "←": "<-", "ß": "ss", "æ": "ae", "Æ": "AE"},
        **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "œ": "oe", "Œ": "OE", "ı": "i"},
    }
)
_SIGNS = {"red": "r", "black": "b", "white": "w"}
_BRACKETS, _BRACES = ("[", "]"), ("{", "}")
Fence = tuple[str, str]


def render(scene: Scene, *, bottom: int = 0) -> str:
    """Render the scene as lines of printable ASCII, at most `WIDTH` wide.

    Seat `bottom` is at the bottom.
    """
    seen = scene.turned() if bottom else scene
    board = _board(seen)
    if max(map(len, board)) > WIDTH:
        board = _listed(seen)
    beside = [line for tray in seen.trays for line in _wrapped(_tray(tray))]
    notes = [line for note in seen.notes for line in _wrapped(note)]
    blocks = ["\n".join(block) for block in (board, beside, notes) if block]
    return "\n\n".join(blocks)


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Convert the text to printable ASCII: straight quotes and dashes, no accents."""
    return text if text.isascii() and text.isprintable() else _without_accents(text)


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    letters = (letter for letter in decomposed.translate(_PLAIN) if not unicodedata.combining(letter))
    return "".join(letter if " " <= letter <= "~" else "?" for letter in letters)


# -- the board -----------------------------------------------------------------------


def _board(scene: Scene) -> list[str]:
    """Return the ranks from the top, with bridges between them, and labels around them."""
    fences, bridges = _fences(scene), _bridges(scene)
    width = max((len(plain(cell.text)) for row in scene.rows for cell in row), default=1)
    is_slanting = scene.grid == "hexagonal"
    gap = 3 if scene.bridges else (1 if width > 2 or is_slanting else 0)
    indent = (width + 2 + gap) // 2 if is_slanting else 0
    bar = None if scene.bridges else " " if is_slanting else "|" * gap
    labels = [plain(label) for label in scene.ranks]
    margin = max(map(len, labels), default=1)
    lines = []
    for at, (label, row) in enumerate(zip(labels, scene.rows, strict=True)):
        cells = [_field(cell, width, fences) for cell in row]
        joined = _joined(row, cells, bridges, bar)
        lines.append(" " * indent * at + f"{label:>{margin}} {joined} {label}")
        if scene.bridges and at + 1 < len(scene.rows):
            lines.append(" " * (margin + 2) + _between(row, scene.rows[at + 1], bridges, width + 2 + gap))
    files = "".join(f"{plain(label):<{width + 2 + gap}}" for label in scene.files)
    return [line.rstrip() for line in [*lines, " " * (margin + 2 + indent * (len(labels) - 1)) + files]]


def _fences(scene: Scene) -> dict[str, Fence]:
    """Return the brackets around marked squares; those of the last move take precedence."""
    fences: dict[str, Fence] = {}
    for mark in scene.marks:
        if mark.kind in ("from", "to"):
            fences[mark.cell] = _BRACKETS
        else:
            fences.setdefault(mark.cell, _BRACES)
    return fences


def _bridges(scene: Scene) -> dict[frozenset[str], str]:
    """Return the letter of every bridge, by the squares that it joins."""
    return {frozenset((bridge.one, bridge.other)): _SIGNS[bridge.colour] for bridge in scene.bridges}


def _field(cell: Cell, width: int, fences: dict[str, Fence]) -> str:
    before, behind = fences.get(cell.name, (" ", " "))
    return f"{before}{plain(cell.text)}{behind}".ljust(width + 2)


def _joined(row: tuple[Cell, ...], fields: list[str], bridges: dict[frozenset[str], str], bar: str | None) -> str:
    """Write a rank as one line, with its bridges, or with `bar` between its squares."""
    if bar is not None and not bridges:
        return bar.join(fields)
    line = fields[0] if fields else ""
    for one, other, field in zip(row, row[1:], fields[1:], strict=False):
        letter = bridges.get(frozenset((one.name, other.name)), "")
        link = f"-{letter}-" if letter else "   "
        line += (link if bar is None else bar) + field
    return line


def _between(upper: tuple[Cell, ...], lower: tuple[Cell, ...], bridges: dict[frozenset[str], str], pitch: int) -> str:
    """Write the line between two ranks: the letters of the vertical bridges."""
    pairs = zip(upper, lower, strict=True)
    letters = (bridges.get(frozenset((one.name, other.name)), " ") for one, other in pairs)
    return "".join(letter.ljust(pitch) for letter in letters)


def _listed(scene: Scene) -> list[str]:
    """List the occupied squares and bridges of a board too wide to draw."""
    fences = _fences(scene)
    entries = [
        f"{plain(cell.name)}: {_field(cell, 0, fences).strip()}"
        for row in scene.rows
        for cell in row
        if cell.text != "." or cell.name in fences
    ]
    entries += [f"{plain(bridge.one)}-{_SIGNS[bridge.colour]}-{plain(bridge.other)}" for bridge in scene.bridges]
    return _wrapped("; ".join(entries)) or ["."]


# -- below the board -----------------------------------------------------------------


def _tray(tray: Tray) -> str:
    """Write a tray as one line: its label, its pieces with their number, its note."""
    items = [item.piece.text if item.count == 1 else f"{item.piece.text} x{item.count}" for item in tray.items]
    pieces = ", ".join(items) or ("" if tray.note else "-")
    note = f"({tray.note})" if pieces and tray.note else tray.note
    return f"{tray.label}: {' '.join(part for part in (pieces, note) if part)}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(plain(text), WIDTH, subsequent_indent="  ")
