"""Draw digits and a few letters as strokes, so that numbers on pieces need no font.

Each glyph fits a box 60 wide and 100 high, drawn from 14 to 86.
"""

from __future__ import annotations

from engines.svg.paint import number, placed, shape, words

STROKES: dict[str, str] = {
    "0": "M30 14C4 14 4 86 30 86C56 86 56 14 30 14Z",
    "1": "M20 30L38 14V86",
    "2": "M11 34C11 7 49 7 49 34C49 52 12 64 11 86H50",
    "3": "M12 22C20 8 48 9 47 30C46 44 34 47 25 47C37 47 50 52 49 67C48 91 17 92 10 76",
    "4": "M41 86V14L8 64H54",
    "5": "M46 14H17L14 46C23 37 50 37 49 63C48 91 17 92 10 77",
    "6": "M43 14C22 24 10 44 10 65A20 21 0 1 0 50 65A20 21 0 1 0 10 65",
    "7": "M10 14H50L25 86",
    "8": "M30 47C7 47 7 14 30 14C53 14 53 47 30 47C3 47 3 86 30 86C57 86 57 47 30 47Z",
    "9": "M17 86C38 76 50 56 50 35A20 21 0 1 0 10 35A20 21 0 1 0 50 35",
    "?": "M12 32C12 7 49 7 48 32C47 50 30 48 30 65M30 85V86",
    "*": "M14 34L46 66M46 34L14 66",
    "M": "M7 86V14L30 58L53 14V86",
    "T": "M7 14H53M30 14V86",
    "G": "M50 27C42 7 8 7 8 50C8 93 50 92 52 70V54H34",
    "R": "M13 86V14H32C55 14 55 51 32 51H13M32 51L51 86",
    "B": "M13 48V14H29C51 14 51 48 29 48H13V86H31C57 86 57 48 29 48",
    "O": "M30 14C2 14 2 86 30 86C58 86 58 14 30 14Z",
}
"""Paths of the glyphs; `*` is the multiplication sign."""


def glyphs(text: str, x: float, y: float, height: float, paint: str, weight: float = 13) -> str:
    """Draw the glyphs of `text` centred on a point; characters without a glyph leave a gap."""
    scale = height / 72
    left = x - 35 * scale * len(text) + 5 * scale
    drawn = [
        placed(_stroke(STROKES[sign], paint, weight), left + 70 * scale * at, y - 50 * scale, scale)
        for at, sign in enumerate(text)
        if sign in STROKES
    ]
    return "".join(drawn)


def _stroke(path: str, paint: str, weight: float) -> str:
    return shape("path", paint, d=path, stroke_width=number(weight), stroke_linecap="round", stroke_linejoin="round")


def sign(face: str, x: float, y: float, height: float, paint: str) -> str:
    """Draw a short text on a piece: as glyphs if every character has one, otherwise as text."""
    if all(letter in STROKES for letter in face):
        return glyphs(face, x, y, height if len(face) < 2 else height * 0.8, paint)
    return words(face[:3], x, y + height * 0.36, height, text_anchor="middle")
