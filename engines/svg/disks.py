"""Two-sided disks: one seen from above, and a stack as its top disk beside a tower of layers.

The badge of a face points where the face may travel: a diamond with R along ranks and files, a square
with B along diagonals, a circle with O for the bent way; a blank has no badge.
"""

from __future__ import annotations

from engines.scene import Piece
from engines.svg.glyphs import glyphs
from engines.svg.paint import group, placed, shade, shape

_BADGES = {
    "r": "M50 16L84 50L50 84L16 50Z",
    "b": "M26 26H74V74H26Z",
    "o": "M50 22A28 28 0 1 1 50 78A28 28 0 1 1 50 22Z",
}
_FULL_LAYER = 19.0
"""The height of one layer of a tower that has room."""


def disk(piece: Piece) -> str:
    """A disk seen from above, in a box of 100 by 100; a known down face hangs on its lower edge."""
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
    """A stack in a square of this size: the top disk at the left, the tower of all layers at the right."""
    top = placed(disk(_bare(pieces[-1])), 2, 20, 0.62)
    layer = min(_FULL_LAYER, 92 / len(pieces))
    pins = pinned(pieces)
    tower = "".join(
        placed(_layer(piece, layer, pin), 70, 96 - layer * (at + 1), 1)
        for at, (piece, pin) in enumerate(zip(pieces, pins, strict=True))
    )
    return placed(group(top + tower, "stack"), x - size / 2, y - size / 2, size / 100)


def _bare(piece: Piece) -> Piece:
    return Piece(piece.text, piece.name, piece.shape, piece.face, piece.side)


def pinned(pieces: tuple[Piece, ...]) -> tuple[bool, ...]:
    """Which pieces of a stack, from the bottom up, have an enemy somewhere above them."""
    return tuple(any(above.side != piece.side for above in pieces[at:]) for at, piece in enumerate(pieces))


def _layer(piece: Piece, height: float, pin: bool) -> str:
    side, thick = shade(piece), height - 1.2
    pill = shape("rect", f"body-{side}", x=0, y=0, width=28, height=thick, rx=min(4, thick / 2.5), stroke_width=1.2)
    up = _mark_of(piece.face, 8.5, thick, side)
    down = _mark_of(piece.under or "?", 20, thick, side, small=True)
    return pill + up + down + (shape("path", "pin", d=f"M-3.5 0V{height}", stroke_width=2.4) if pin else "")


def _mark_of(face: str, x: float, thick: float, side: str, *, small: bool = False) -> str:
    """The face of a layer, seen from the side: a coloured chip with its letter; a blank shows nothing."""
    tall = max(1.5, (thick - 2.6) * (0.8 if small else 1))
    if face == "?":
        return glyphs("?", x, thick / 2, tall * 0.8, f"ink-{side}")
    if face not in _BADGES:
        return ""
    wide = 8.0 if small else 11.0
    plate = shape("rect", f"face-{face}", x=-wide / 2, y=-tall / 2, width=wide, height=tall, stroke_width=0.8)
    return placed(plate + glyphs(face.upper(), 0, 0, tall * 0.62, f"face-{face}-ink", 15), x, thick / 2, 1)
