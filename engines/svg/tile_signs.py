"""Draw small signs for the rules of tiles: steps, an exchange of two, a group of three.

Each fits a box of 100 by 100. Signs consist only of lines, so they need one colour, that of their tile. Dots and
squares are lines without length under wide caps.
"""

from __future__ import annotations

from engines.svg.paint import shape

_DOT, _SQUARE = ("round", 27.0), ("square", 25.0)
_SWAP = "M12 30H88M28 12L10 30L28 48M72 12L90 30L72 48"
_STEPS = {
    "Mo": "M50 34V8M50 66V92M34 50H8M66 50H92M39 39L18 18M61 39L82 18M39 61L18 82M61 61L82 82",
    "Ms": "M50 6V94M6 50H94M36 20L50 6L64 20M36 80L50 94L64 80M20 36L6 50L20 64M80 36L94 50L80 64",
    "Mt": "M14 14L86 86M86 14L14 86M14 36V14H36M64 14H86V36M86 64V86H64M36 86H14V64",
}
_HOLLOW = {
    "To": _SWAP + "M76 62A13 13 0 1 1 76 88A13 13 0 1 1 76 62Z",
    "Ts": _SWAP,
    "Tt": _SWAP + "M24 62L40 90H8ZM76 62L92 90H60Z",
    "Go": "M14 86L86 14",
    "Gs": "",
    "Gt": "M50 10L67 40H33ZM22 60L39 90H5ZM78 60L95 90H61Z",
}
_FULL = {
    "To": ((24, 75), _DOT),
    "Ts": ((24, 76), (76, 76), _SQUARE),
    "Go": ((16, 84), (50, 50), (84, 16), _DOT),
    "Gs": ((50, 22), (20, 78), (80, 78), _SQUARE),
}


def sign_of(face: str, paint: str) -> str:
    """Draw the sign of a tile's rule, in a box of 100 by 100; empty for an unknown tile."""
    path = _STEPS.get(face) or _HOLLOW.get(face, "")
    drawn = (
        shape("path", paint, d=path, stroke_width=9, stroke_linecap="round", stroke_linejoin="round") if path else ""
    )
    *places, (cap, wide) = _FULL.get(face, (("", 0.0),))
    dots = "".join(f"M{x} {y}h.01" for x, y in places)
    return drawn + (shape("path", paint, d=dots, stroke_width=wide, stroke_linecap=cap) if dots else "")
