"""Render scenes as self-contained SVG, with title and description for screen readers.

Squares are groups of the class `cell`, pieces in trays groups of the class `tray-item`, each with its token in
`data-touch`. Every shape has a class of `paint.PAINT`, so that a page can restyle it.
"""

from __future__ import annotations

import re

from engines.scene import Piece, Scene
from engines.svg import beside
from engines.svg.board import SIDE, BoardGeometry
from engines.svg.paint import fit, number, shape
from engines.svg.pieces import draw

_LEFT, _TOP, _EDGE, _BELOW = 30.0, 16.0, 16.0, 32.0
_WIDTH = _LEFT + SIDE + _EDGE
_FOR_PAGE = ' class="has-trays"'
_RIM = 3.0
_WORDS = re.compile(r'<title>[^<]*</title>| data-touch="[^"]*"')


def render(scene: Scene, *, bottom: int = 0, size: int | None = None, is_for_page: bool = False) -> str:
    """Render the scene as one SVG document, with the seat `bottom` at the bottom.

    `size` is the width in pixels; by default the picture fills its container. With `is_for_page` a page's style sheet
    can show the trays at the right of the board (`beside.trays`); otherwise they are below it.
    """
    seen = scene.turned() if bottom else scene
    board = BoardGeometry(seen, _LEFT, _TOP)
    side = beside.Side(_WIDTH, _TOP, board.bottom - _TOP, bottom) if is_for_page else None
    trays, low = beside.trays(seen.trays, _LEFT, board.bottom + _BELOW, SIDE, side)
    notes, low = beside.notes(seen.notes, _LEFT, low, SIDE)
    height = low + _EDGE
    paper = shape("rect", "paper", x=0, y=0, width=_WIDTH, height=height)
    opening = _opening(height, size, _FOR_PAGE if is_for_page and seen.trays else "")
    return f"{opening}{_words(scene)}{paper}{board.drawn()}{trays}{notes}</svg>"


def extent(scene: Scene) -> tuple[float, float]:
    """Return width and height of what `render` would draw, in user units."""
    low = beside.end(scene.trays, scene.notes, BoardGeometry(scene, _LEFT, _TOP).bottom + _BELOW, SIDE)
    return _WIDTH, round(low + _EDGE, 2)


def render_small(scene: Scene, *, bottom: int = 0) -> str:
    """Draw only the board of a scene, without texts, labels and tokens, for lists."""
    board = BoardGeometry(scene.turned() if bottom else scene, _RIM, _RIM)
    box = f"0 0 {number(SIDE + 2 * _RIM)} {number(board.bottom + _RIM)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{_WORDS.sub("", board.unlabelled())}</svg>'


def render_piece(piece: Piece) -> str:
    """Draw one piece as a small SVG document without text; the container must name it."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" aria-hidden="true">{draw(piece, 50, 50, 100)}</svg>'


def _opening(height: float, size: int | None, more: str) -> str:
    pixels = f' width="{size}" height="{round(size * height / _WIDTH)}"' if size else ""
    box = f"0 0 {number(_WIDTH)} {number(height)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{pixels}{more} role="img">'


def _words(scene: Scene) -> str:
    return f"<title>{fit(scene.title)}</title><desc>{fit(scene.summary)}</desc>"
