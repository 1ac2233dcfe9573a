"""Whole games as animated WebP, if a client cannot show SVG."""

from __future__ import annotations

import io

from correspondence.core.caching import cached
from correspondence.render.animation import SECONDS
from correspondence.render.raster import image

MOST_FRAMES = 60
"""A film has at most so many moments: each costs about 20 ms of computing and 5 kB."""

WIDTH = 480
"""The width of a film in pixels."""

_PAPER = "#fbf6ec"
_STEP = round(SECONDS * 1000)
_BETWEEN = "\0"


def animated_webp(drawings: tuple[str, ...]) -> bytes:
    """The drawings one after the other, in a loop, the last four times as long. Raises ValueError if one is no drawing."""
    return _film(_BETWEEN.join(drawings))


@cached(4)
def _film(drawings: str) -> bytes:
    first, *rest = (image(drawing, _PAPER, width=WIDTH) for drawing in drawings.split(_BETWEEN))
    written = io.BytesIO()
    lasting = [_STEP] * len(rest) + [4 * _STEP]
    first.save(
        written,
        "WEBP",
        save_all=True,
        append_images=rest,
        duration=lasting,
        loop=0,
        lossless=True,
        quality=30,
        method=1,
    )
    return written.getvalue()
