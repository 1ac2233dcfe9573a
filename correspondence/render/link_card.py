"""The wide picture that other programs show of a link to a game: board, game and names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from engines import svg
from engines.base import Seat
from engines.scene import Scene

WIDTH, HEIGHT = 1200, 630
"""Size of the picture in pixels, as large previews of links want it."""

_MARGIN, _TEXT_AT = 24, 650
_BOARD = HEIGHT - 2 * _MARGIN
_FIRST_LINE, _LINE = 210, 84
_SIZES = (40, 60, 60, 32)


def link_card(scene: Scene, bottom: Seat, lines: Sequence[str]) -> str:
    """Draw the board on the left, without hands and notes, and up to four lines of text beside it, as SVG."""
    board = svg.render(replace(scene, trays=(), notes=()), bottom=bottom).removeprefix("<svg ")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf6ec"/>'
        f'<svg x="{_MARGIN}" y="{_MARGIN}" width="{_BOARD}" height="{_BOARD}" {board}'
        f"{''.join(_text(number, line) for number, line in enumerate(lines[: len(_SIZES)]))}</svg>"
    )


def _text(number: int, line: str) -> str:
    """One line of text; a long one is squeezed into the width that is left."""
    size, room = _SIZES[number], WIDTH - _TEXT_AT - _MARGIN
    squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if len(line) * size * 0.56 > room else ""
    return (
        f'<text x="{_TEXT_AT}" y="{_FIRST_LINE + number * _LINE}" font-size="{size}" font-family="sans-serif" '
        f'fill="#2a2420"{squeezed}>{escape(line)}</text>'
    )
