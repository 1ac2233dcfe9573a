"""Draw two-sided disks: one from above, or a leaning stack whose rims show the known faces.

The badge of a face shows how it moves: a diamond with R along ranks and files, a square with B along diagonals, a
circle with O for the bent path; a blank has no badge.
"""

from __future__ import annotations

from engines.scene import Piece
from engines.svg.glyphs import glyphs
from engines.svg.paint import group, number, placed, shade, shape

_BADGES = {
    "r": "M50 16L84 50L50 84L16 50Z",
    "b": "M26 26H74V74H26Z",
    "o": "M50 22A28 28 0 1 1 50 78A28 28 0 1 1 50 22Z",
}
_THICK, _WALLS = 13.0, 48.0
"""The maximum height of one disk of a stack, and of all together."""

_WIDE, _DEEP = 35.0, 20.0
"""Half the width and half the depth of a disk seen from the side."""

_LEAN, _MOST_LEAN = 5.0, 20.0
"""The offset to the right of each disk from the one below, and the maximum in total."""


def disk(piece: Piece) -> str:
    """Draw a disk from above, in a box of 100 by 100; its lower edge shows a known down face."""
    side = shade(piece)
    seen = (
        shape("circle", f"edge-{side}", cx=50, cy=54, r=45)
        + shape("circle", f"body-{side}", cx=50, cy=49, r=45, stroke_width=3)
        + shape("circle", f"rim-{side}", cx=50, cy=49, r=39, stroke_width=2)
        + placed(_face(piece.face, side), 4, 3, 0.92)
    )
    return seen + placed(_chip(piece.under, side), 60, 60, 0.42) if piece.under.strip("?") else seen


def _face(face: str, side: str) -> str:
    if face in _BADGES:
        badge = shape("path", f"face-{face}", d=_BADGES[face], stroke_width=3, stroke_linejoin="round")
        return badge + glyphs(face.upper(), 50, 50, 30, f"face-{face}-ink", 15)
    return glyphs("?", 50, 50, 40, f"ink-{side}") if face == "?" else ""


def _chip(face: str, side: str) -> str:
    plate = shape("circle", f"body-{side}", cx=50, cy=50, r=48, stroke_width=6)
    return plate + placed(_face(face, side), -10, -10, 1.2)


def stack(pieces: tuple[Piece, ...], x: float, y: float, size: float) -> str:
    """Draw the disks of a square: one from above, several as a leaning stack with their number."""
    drawn = placed(disk(pieces[0]), 7, 7, 0.86) if len(pieces) == 1 else _pile(pieces)
    return placed(group(drawn, "stack"), x - size / 2, y - size / 2, size / 100)


def _pile(pieces: tuple[Piece, ...]) -> str:
    count = len(pieces)
    thick, lean = min(_THICK, _WALLS / count), min(_LEAN, _MOST_LEAN / (count - 1))
    left, low = 50 - lean * (count - 1) / 2 - 4, 50 + thick * count / 2
    walls = "".join(
        _wall(piece, left + lean * at, low - thick * at, thick, pin)
        for at, (piece, pin) in enumerate(zip(pieces, pinned(pieces), strict=True))
    )
    top = _top(pieces[-1], left + lean * (count - 1), low - thick * count)
    plate = shape("circle", "tally", cx=88, cy=87, r=10.5, stroke_width=1.6)
    return walls + top + plate + glyphs(str(count), 88, 87, 11 if count < 10 else 8.5, "count", 14)


def _top(piece: Piece, x: float, y: float) -> str:
    side = shade(piece)
    seen = shape("ellipse", f"body-{side}", cx=x, cy=y, rx=_WIDE, ry=_DEEP, stroke_width=1.6)
    seen += shape("ellipse", f"rim-{side}", cx=x, cy=y, rx=_WIDE - 4.5, ry=_DEEP - 3, stroke_width=1.2)
    flat = f"translate({number(x - 31)} {number(y - 20)}) scale(0.62 0.4)"
    face = _face(piece.face, side)
    return seen + (f'<g transform="{flat}">{face}</g>' if face else "")


def _wall(piece: Piece, x: float, low: float, thick: float, pin: bool) -> str:
    """Draw the rim of one disk with its face marks: the larger for the up face."""
    side = shade(piece)
    arc = f"{number(_WIDE)} {number(_DEEP)} 0 0"
    path = f"M{number(x - _WIDE)} {number(low)}a{arc} 0 {number(2 * _WIDE)} 0v{number(-thick)}a{arc} 1 {number(-2 * _WIDE)} 0Z"
    drawn = shape("path", f"wall-{side}", d=path)
    middle = low + _DEEP - thick / 2
    up = _mark_of(piece.face, x - 7, middle - 0.6, thick, side)
    down = _mark_of(piece.under or "?", x + 9, middle - 0.8, thick, side, small=True)
    line = f"M{number(x - _WIDE - 3)} {number(low - thick)}v{number(thick)}"
    return drawn + up + down + (shape("path", "pin", d=line, stroke_width=3) if pin else "")


def pinned(pieces: tuple[Piece, ...]) -> tuple[bool, ...]:
    """Return, for each piece of a stack from the bottom up, whether an enemy lies above it."""
    return tuple(any(above.side != piece.side for above in pieces[at:]) for at, piece in enumerate(pieces))


def _mark_of(face: str, x: float, y: float, thick: float, side: str, *, small: bool = False) -> str:
    """Draw the face mark of a disk in a stack: a coloured dot with its letter; none for a blank."""
    tall = max(1.5, thick * (0.62 if small else 0.76))
    if face == "?":
        return glyphs("?", x, y, tall * 0.8, f"ink-{side}")
    if face not in _BADGES:
        return ""
    wide = 10.0 if small else 14.0
    plate = shape("rect", f"face-{face}", x=-wide / 2, y=-tall / 2, width=wide, height=tall, rx=1.5, stroke_width=0.8)
    return placed(plate + glyphs(face.upper(), 0, 0, tall * 0.66, f"face-{face}-ink", 16), x, y, 1)
