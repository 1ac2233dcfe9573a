"""Pictures of letters as PNG: a sketch is drawn, resvg renders the drawing, and Pillow writes it with a palette.

The drawings are flat, so a few colours lose next to nothing, and a board takes a third of the octets: a sharp picture
fits into a letter at the first try.
"""

from __future__ import annotations

import io
import logging
from typing import Literal

from correspondence.core.caching import cached
from engines import svg
from engines.sketch import scene_of

log = logging.getLogger(__name__)

BOARD_SCALE = 1.5
"""Scale of the picture of a board: image pixels per CSS pixel."""

BOARD_PAPER = "#ffffff"
"""What lies behind a board, in mail programs that show letters dark too."""

DIAGRAM_PAPER = "#fdfaf4"
"""What lies behind a diagram: the colour of the page of a letter."""

Edges = Literal["geometric_precision", "crisp_edges"]

_BOARD_COLOURS = 32
_DIAGRAM_COLOURS = 16
"""Four bits for each pixel: letters about rules carry many diagrams."""


def board_png(board: str, scale: float = BOARD_SCALE) -> bytes | None:
    """Render the picture of a board, a sketch or an SVG; None if that fails, because letters are complete without it."""
    return _png_or_none(board, scale, _BOARD_COLOURS, BOARD_PAPER, "geometric_precision")


def diagram_png(svg: str, scale: float) -> bytes | None:
    """Render a diagram without shades between its colours; None if that fails."""
    return _png_or_none(svg, scale, _DIAGRAM_COLOURS, DIAGRAM_PAPER, "crisp_edges")


def _png_or_none(picture: str, scale: float, colours: int, paper: str, edges: Edges) -> bytes | None:
    try:
        import resvg_py  # noqa: F401 -- a compiled package: if it does not load, letters have no pictures

        return _png(_drawing(picture), scale, colours, paper, edges)
    except Exception as error:
        log.warning("a picture could not be drawn: %s", error)
    return None


def _drawing(picture: str) -> str:
    """The SVG of a picture; raises ValueError if it is neither an SVG nor a sketch that can be read."""
    if picture.startswith("<svg"):
        return picture
    scene, bottom = scene_of(picture)
    return svg.render(scene, bottom=bottom)


@cached
def _png(drawing: str, scale: float, colours: int, paper: str, edges: Edges) -> bytes:
    """Render, cached: a letter that is tried again, and the same position of many games, ask for the same picture."""
    import resvg_py
    from PIL import Image

    full = resvg_py.svg_to_bytes(svg_string=drawing, zoom=scale, background=paper, shape_rendering=edges)
    picture = Image.open(io.BytesIO(bytes(full))).convert("RGB")
    written = io.BytesIO()
    limited = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    limited.save(written, "PNG", compress_level=9)
    return written.getvalue()
