"""Pictures of letters; a letter is complete without them, so one that cannot be drawn is left out."""

from __future__ import annotations

import logging
from collections.abc import Callable

from correspondence.render import raster

log = logging.getLogger(__name__)

DIAGRAM_PAPER = "#fdfaf4"
"""What lies behind a diagram: the colour of the page of a letter."""

_DIAGRAM_COLOURS = 16
"""Four bits for each pixel: letters about rules carry many diagrams."""


def board_png(board: str, scale: float) -> bytes | None:
    """Render the picture of a board, a sketch or an SVG; None if that fails."""
    return _png_or_none(lambda: raster.board_png(board, scale))


def diagram_png(svg: str, scale: float) -> bytes | None:
    """Render a diagram without shades between its colours; None if that fails."""
    return _png_or_none(lambda: raster.png(svg, scale, _DIAGRAM_COLOURS, DIAGRAM_PAPER, is_diagram=True))


def _png_or_none(draw: Callable[[], bytes]) -> bytes | None:
    try:
        return draw()
    except Exception as error:  # a compiled package that does not load is no reason for no letter either
        log.warning("a picture could not be drawn: %s", error)
    return None
