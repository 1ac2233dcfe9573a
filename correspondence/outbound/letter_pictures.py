"""Pictures in letters; one that cannot be drawn is omitted."""

from __future__ import annotations

import logging
from collections.abc import Callable

from correspondence.render import raster

log = logging.getLogger(__name__)

DIAGRAM_PAPER = "#fdfaf4"
"""The background of a diagram: the page colour of a letter."""

_DIAGRAM_COLOURS = 16
"""The PNG palette size: four bits for each pixel, because a letter may have many diagrams."""


def board_png(board: str, scale: float) -> bytes | None:
    """Render a board, given as a sketch or an SVG; None if that fails."""
    return _png_or_none(lambda: raster.board_png(board, scale))


def diagram_png(svg: str, scale: float) -> bytes | None:
    """Render a diagram without antialiasing between its colours; None if that fails."""
    return _png_or_none(lambda: raster.png(svg, scale, _DIAGRAM_COLOURS, DIAGRAM_PAPER, is_diagram=True))


def _png_or_none(draw: Callable[[], bytes]) -> bytes | None:
    try:
        return draw()
    except Exception as error:  # the letter is sent even if a compiled package does not load
        log.warning("a picture could not be drawn: %s", error)
    return None
