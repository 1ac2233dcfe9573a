"""Whole games as animated WebP, for clients without SVG."""

from __future__ import annotations

import io

from correspondence.core.caching import cached
from correspondence.render.animation import SECONDS
from correspondence.render.raster import image

MOST_FRAMES = 60
"""Maximum number of frames; each costs about 20 ms of computing and 5 kB."""

WIDTH = 480
"""Width of a film in pixels."""

_PAPER = "#fbf6ec"
_STEP = round(SECONDS * 1000)
_BETWEEN = "\0"


def animated_webp(drawings: tuple[str, ...]) -> bytes:
    """Join SVG drawings into a looping WebP; the last one stays four times as long.

    Raises ValueError if a drawing cannot be rendered.
    """
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
