"""Small pictures for letters that carry several: rendered without shades between colours, and written with a palette.

The drawings are flat, so sixteen colours lose next to nothing, and a picture takes a few kilobytes where it took thirty.
"""

from __future__ import annotations

import logging
import struct
import zlib
from collections import Counter
from functools import lru_cache

log = logging.getLogger(__name__)

COLOURS = 16
"""Colours of a picture: two pixels to an octet."""

PAPER = "#fdfaf4"
"""What lies behind a picture: the colour of the page of a letter."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}
_PALETTE = 3


@lru_cache(maxsize=256)
def small_png(svg: str, scale: float) -> bytes | None:
    """A picture as a PNG of COLOURS colours on paper; None if it cannot be drawn here."""
    try:
        import resvg_py  # a compiled package: if it does not load, letters have no pictures

        full = resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, background=PAPER, shape_rendering="crisp_edges")
        return with_palette(bytes(full))
    except Exception as error:
        log.warning("a diagram could not be drawn: %s", error)
    return None


def with_palette(png: bytes) -> bytes:
    """A PNG of 8-bit colours (PNG specification, colour types 2 and 6) with a palette of its commonest colours.

    Raises ValueError for any other kind of PNG.
    """
    rows = _pixels(png)
    counts = Counter(pixel for row in rows for pixel in row)
    palette = [colour for colour, _count in counts.most_common(COLOURS)]
    index = {colour: _nearest(colour, palette) for colour in counts}
    lines = b"".join(b"\0" + _packed([index[pixel] for pixel in row]) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 4, _PALETTE, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, body) for kind, body in chunks)


def _nearest(colour: bytes, palette: list[bytes]) -> int:
    return min(range(len(palette)), key=lambda at: sum((a - b) ** 2 for a, b in zip(colour, palette[at], strict=True)))


def _packed(row: list[int]) -> bytes:
    """Two pixels to an octet, the first in the upper half."""
    even = row if len(row) % 2 == 0 else [*row, 0]
    return bytes(even[at] << 4 | even[at + 1] for at in range(0, len(even), 2))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _pixels(png: bytes) -> list[list[bytes]]:
    """The rows of a PNG as three octets a pixel."""
    header, data = b"", b""
    at = len(_SIGNATURE)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        header = body if kind == b"IHDR" else header
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour_type, _method, _filter, interlaced = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colour_type not in _CHANNELS or interlaced:
        raise ValueError(f"a PNG of colour type {colour_type} and depth {depth} is not read here")
    channels = _CHANNELS[colour_type]
    rows = _unfiltered(zlib.decompress(data), width * channels, height, channels)
    return [[bytes(row[at : at + 3]) for at in range(0, len(row), channels)] for row in rows]


def _unfiltered(data: bytes, length: int, height: int, channels: int) -> list[bytearray]:
    """The rows as they were before filtering (PNG specification, 9)."""
    rows, above = [], bytearray(length)
    for y in range(height):
        start = y * (length + 1)
        row = bytearray(data[start + 1 : start + 1 + length])
        _undo(data[start], row, above, channels)
        rows.append(row)
        above = row
    return rows


def _undo(filter_type: int, row: bytearray, above: bytearray, channels: int) -> None:
    for at in range(len(row)):
        left = row[at - channels] if at >= channels else 0
        corner = above[at - channels] if at >= channels else 0
        row[at] = (row[at] + _predicted(filter_type, left, above[at], corner)) & 255


def _predicted(filter_type: int, left: int, up: int, corner: int) -> int:
    if filter_type < 4:
        return (0, left, up, (left + up) // 2)[filter_type]
    estimate = left + up - corner
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return (left, up, corner)[distances.index(min(distances))]
