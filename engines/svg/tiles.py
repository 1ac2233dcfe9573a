"""Draw tiles with the signs of their rules, and the three shapes of pieces and tiles."""

from __future__ import annotations

from engines.scene import Piece
from engines.svg.glyphs import STROKES, glyphs
from engines.svg.paint import placed, shape
from engines.svg.tile_signs import sign_of

OUTLINES = {
    "circle": "M50 8A42 42 0 1 1 50 92A42 42 0 1 1 50 8Z",
    "square": "M16 12H84A4 4 0 0 1 88 16V84A4 4 0 0 1 84 88H16A4 4 0 0 1 12 84V16A4 4 0 0 1 16 12Z",
    "triangle": "M50 6L97 86H3Z",
}
"""The paths of the three shapes of pieces and tiles, in a box of 100 by 100."""

_SHAPES = {"o": "circle", "s": "square", "t": "triangle"}


def tile(piece: Piece) -> str:
    """Draw a tile with its colour's letter, its shape and the sign of its rule.

    It is solid if in force, otherwise an outline on hatched ground.
    """
    colour = piece.face[:1].lower()
    paint = f"tile-{colour if colour in ('m', 't', 'g') else 'any'}{'' if piece.lit else '-off'}"
    ground = shape("rect", paint, x=3, y=3, width=94, height=94, rx=9)
    within = _inner_frame(f"{paint}-ink") if piece.lit else _hatch(f"{paint}-ink")
    ink = f"{paint}-ink"
    return ground + within + _emblem(piece.face, ink) + _letter(piece.face, ink) + _sign(piece.face, ink)


def _inner_frame(paint: str) -> str:
    return shape("rect", paint, x=7, y=7, width=86, height=86, rx=6, stroke_width=2)


def _hatch(paint: str) -> str:
    lines = "".join(f"M5 {at}L{at} 5M{at} 95L95 {at}" for at in range(15, 96, 10))
    return shape("path", paint, d=lines, stroke_width=0.8, stroke_opacity=0.3)


def _emblem(face: str, paint: str) -> str:
    outline = OUTLINES.get(_SHAPES.get(face[1:2], ""), "")
    if not outline:
        return ""
    top = 15 if face[1] == "t" else 20  # so that a triangle is centred on its tile too
    return placed(shape("path", paint, d=outline, stroke_width=9, stroke_linejoin="round"), 20, top, 0.6)


def _letter(face: str, paint: str) -> str:
    return glyphs(face[:1], 15.5, 17.5, 12, paint, 15) if face[:1] in STROKES else ""


def _sign(face: str, paint: str) -> str:
    drawn = sign_of(face, paint)
    return placed(drawn, 72, 7.5, 0.2) if drawn else ""
