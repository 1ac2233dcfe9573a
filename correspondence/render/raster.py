"""Render SVG drawings to PNG: librsvg draws, Pillow writes with a palette.

Both run in C without Python's global lock (GIL), so other threads continue. The drawings have few colours, so a palette
loses almost nothing and saves two thirds of the bytes.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
from functools import cache
from threading import Condition, RLock
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache, cached

from engines import svg
from engines.sketch import scene_of

if TYPE_CHECKING:
    from PIL import Image

BOARD_SCALE = 1.5
"""Scale of the picture of a board: image pixels per CSS pixel."""

BOARD_PAPER = "#ffffff"
"""The background of a board, also for mail programs with a dark mode."""

CACHE_BYTES = 4 << 20
"""Maximum size of the cache of PNG pictures, in bytes; enough for about 150 boards."""

BOARD_COMPRESSION, DIAGRAM_COMPRESSION = 6, 9
"""Levels of PNG compression.

For a board, level 9 would take three times as long and save a seventh of the bytes.
"""

_ONE_AT_A_TIME = RLock()
"""Lock that lets only one thread draw at a time.

Simultaneous drawings would need more memory, and leave less processor time for pages.
"""

_BOARD_COLOURS = 32
_CRISP = "svg{shape-rendering:crispEdges}"


def board_png(sketch: str, scale: float) -> bytes:
    """Return the picture of a board, given as a sketch or an SVG, as a cached PNG.

    Raises ValueError if it cannot be drawn.
    """
    return png(_drawing_of(sketch), scale, _BOARD_COLOURS, BOARD_PAPER)


def _drawing_of(picture: str) -> str:
    """Return the SVG of a picture.

    Raises ValueError if it is neither an SVG nor a readable sketch.
    """
    if picture.startswith("<svg"):
        return picture
    scene, bottom = scene_of(picture)
    return svg.render(scene, bottom=bottom)


def _key(drawing: str, *rest: object, **options: object) -> tuple[object, ...]:
    """Return the cache key: a hash of the content, because a drawing is larger than its picture."""
    return (hashlib.sha256(drawing.encode()).digest(), *rest, *sorted(options.items()))


@cached(LRUCache(CACHE_BYTES, getsizeof=len), key=_key, condition=Condition())
def png(drawing: str, scale: float, colours: int, paper: str, *, is_diagram: bool = False) -> bytes:
    """Render an SVG as PNG with a palette, cached by content.

    Both players, receipts and pages share a picture. Diagrams of a letter can be many, so they have no shades between
    their colours and are compressed most. Raises ValueError if it cannot be drawn.
    """
    from PIL import Image

    written = io.BytesIO()
    with _ONE_AT_A_TIME:
        pixels = image(drawing, paper, scale=scale, is_crisp=is_diagram)
        limited = pixels.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        limited.save(written, "PNG", compress_level=DIAGRAM_COMPRESSION if is_diagram else BOARD_COMPRESSION)
    return written.getvalue()


def image(
    drawing: str, paper: str, *, scale: float = 1.0, width: int | None = None, is_crisp: bool = False
) -> Image.Image:
    """Render an SVG as an image on this background colour.

    `width`, in pixels, replaces `scale`. Raises ValueError if it cannot be drawn.
    """
    from PIL import Image

    pyvips, process = _pyvips()
    if process != os.getpid():
        raise ValueError("libvips was loaded before this process was forked, and would wait for ever.")

    options = {"stylesheet": _CRISP} if is_crisp else {}
    opening, is_svg, rest = drawing.partition(">")
    raw = f'{opening}><rect width="100%" height="100%" fill="{paper}"/>{rest}'.encode() if is_svg else b""
    try:
        with _ONE_AT_A_TIME:
            if width is not None:
                scale = width / pyvips.Image.svgload_buffer(raw).width
            drawn = pyvips.Image.svgload_buffer(raw, scale=scale, **options)
            pixels = drawn.write_to_memory()
    except pyvips.Error as error:
        raise ValueError("The drawing cannot be rendered.") from error
    return Image.frombytes("RGB", (drawn.width, drawn.height), pixels, "raw", "RGBX")


@cache
def _pyvips() -> tuple[Any, int]:
    """Load libvips, and return it with the id of this process.

    Its threads and cache are off, because they would cost more than they save.
    """
    os.environ.setdefault("VIPS_CONCURRENCY", "1")
    import pyvips

    logging.getLogger("pyvips").setLevel(logging.WARNING)  # it logs each picture
    pyvips.cache_set_max(0)
    return pyvips, os.getpid()
