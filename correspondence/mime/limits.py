"""Size limits of a message, checked before it is parsed.

They are checked on the raw bytes, because the standard library's parser needs seconds for thousands of parts and
raises on deep nesting.
"""

from __future__ import annotations

import re
from functools import lru_cache

MESSAGE_LIMIT = 1 << 20
"""Maximum bytes of a message."""

HEADER_LIMIT = 64 << 10
"""Maximum bytes of the header block of a message."""

FIELD_COUNT_LIMIT = 300
"""Maximum header fields of a message."""

FIELD_LIMIT = 8 << 10
"""Maximum bytes of one header field; a longer one is treated as absent."""

RAW_LINE_LIMIT = 100_000
"""Maximum lines of a message; at each of them the parser checks every open boundary."""

PART_LIMIT = 100
"""Maximum delimiter lines of a multipart message."""

DEPTH_LIMIT = 20
"""Maximum multiparts and attached messages in total, nested or not."""

TEXT_LIMIT = 64 << 10
"""Maximum characters of text that are parsed; the rest is ignored."""

LINE_LIMIT = 2_000
"""Maximum lines of text that are parsed; the rest is ignored."""

HTML_LIMIT = 512 << 10
"""Maximum characters of HTML that are parsed; the rest is ignored."""

TAG_LIMIT = 20_000
"""Maximum tags of HTML that are parsed; the rest is ignored."""

SENT_LIMIT = 256 << 10
"""Maximum characters of our own letters that are compared with a reply."""

_FIELD = re.compile(rb"content-(?:type|transfer-encoding):[^\r\n]*(?:(?:\r\n|\r|\n)[ \t][^\r\n]*)*", re.IGNORECASE)
"""Matches a field, with its folded lines, that the standard parser reads in quadratic time."""

_NESTING = re.compile(rb"content-type:\s*(?:multipart/|message/rfc822)", re.IGNORECASE)


@lru_cache(maxsize=1)  # called by each parser of the same message
def within_limits(raw: bytes) -> str | None:
    """Return the reason key why `raw` must not be parsed; None if it is within the limits.

    The keys are `too-big`, `header-too-big`, `too-many-fields`, `too-many-lines`, `too-many-parts` and `too-deep`.
    """
    if len(raw) > MESSAGE_LIMIT:
        return "too-big"
    block = _header_block(raw)
    if len(block) > HEADER_LIMIT:
        return "header-too-big"
    if sum(line[:1] not in b" \t" for line in block.split(b"\n")) > FIELD_COUNT_LIMIT:
        return "too-many-fields"
    return _structure(raw)


def _header_block(raw: bytes) -> bytes:
    head = raw[: 2 * HEADER_LIMIT].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return b"" if head.startswith(b"\n") else head.partition(b"\n\n")[0]


def _structure(raw: bytes) -> str | None:
    if raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") > RAW_LINE_LIMIT:
        return "too-many-lines"
    if any(len(field[0]) > FIELD_LIMIT for field in _FIELD.finditer(raw)):
        return "header-too-big"
    depth = len(_NESTING.findall(raw))
    if depth > DEPTH_LIMIT:
        return "too-deep"
    # rows of dashes are common in plain text, where they are not delimiters
    if depth and raw.count(b"\n--") + raw.count(b"\r--") > PART_LIMIT:
        return "too-many-parts"
    return None
