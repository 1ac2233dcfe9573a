"""Draw single pieces: dice, buttons and shapes; tiles and disks have their own modules."""

from __future__ import annotations

from functools import lru_cache

from engines.scene import Piece
from engines.svg.chess import FIGURES
from engines.svg.disks import disk
from engines.svg.glyphs import sign
from engines.svg.paint import placed, shade, shape
from engines.svg.tiles import OUTLINES, tile


def draw(piece: Piece, x: float, y: float, size: float) -> str:
    """Draw the piece centred on a point, filling a square of this size."""
    return placed(_drawn(piece), x - size / 2, y - size / 2, size / 100)


@lru_cache(maxsize=256)
def _drawn(piece: Piece) -> str:
    """Draw the piece in a box of 100 by 100; cached, because pieces recur."""
    draw_shape = {
        "die": _die,
        "button": _button,
        "disk": disk,
        "circle": _man,
        "square": _man,
        "triangle": _man,
        "tile": tile,
    }[piece.shape]
    return draw_shape(piece)


def _die(piece: Piece) -> str:
    side = shade(piece)
    body = shape("rect", f"edge-{side}", x=3, y=7, width=94, height=93, rx=18)
    body += shape("rect", f"body-{side}", x=3, y=2, width=94, height=92, rx=18, stroke_width="3.5")
    if not piece.value:
        return body + placed(_figure(piece.face, side), 9, 6, 0.82)
    return body + placed(_figure(piece.face, side), 11, 1.5, 0.78) + _pips(piece.value, side)


def _figure(face: str, side: str) -> str:
    if face in FIGURES:
        paths = zip(FIGURES[face], ("1", "0.55"), strict=False)
        return "".join(
            shape("path", f"figure-{side}", d=path, fill_rule="evenodd", fill_opacity=opacity)
            for path, opacity in paths
        )
    return sign(face, 50, 50, 66, f"ink-{side}")


def _pips(value: int, side: str) -> str:
    shown = min(value, 9)
    left = 50 - 6 * (shown - 1)
    return "".join(shape("circle", f"figure-{side}", cx=left + 12 * at, cy=84.5, r="4.2") for at in range(shown))


def _button(piece: Piece) -> str:
    side = shade(piece)
    return (
        shape("circle", f"edge-{side}", cx=50, cy=53, r=45)
        + shape("circle", f"body-{side}", cx=50, cy=49, r=45, stroke_width=3)
        + shape("circle", f"rim-{side}", cx=50, cy=49, r=37, stroke_width=2.5)
        + sign(piece.face, 50, 49, 46, f"ink-{side}")
    )


def _man(piece: Piece) -> str:
    side, path = shade(piece), OUTLINES[piece.shape]
    lower = -8 if piece.shape == "triangle" else 0
    return (
        shape("path", f"edge-{side}", d=path, transform="translate(0 5)", stroke_linejoin="round")
        + shape("path", f"body-{side}", d=path, stroke_width=5, stroke_linejoin="round")
        + placed(shape("path", f"rim-{side}", d=path, stroke_width=5), 23, 23 - lower, 0.54)
    )
