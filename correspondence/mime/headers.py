"""A fast parser for the header block of a raw message that accepts any bytes.

The standard library's parser takes the whole message, needs seconds for hostile headers, and raises on values that
real programs send. This one parses only the block before the first blank line, within the limits of limits.py;
anything beyond a limit counts as absent.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import parsedate_to_datetime
from functools import lru_cache

from correspondence.mime.cleaning import decoded
from correspondence.mime.limits import FIELD_COUNT_LIMIT, FIELD_LIMIT, HEADER_LIMIT

VALUE_LIMIT = 998
"""Maximum characters of a value that are decoded (RFC 5322 2.1.1)."""

MOST_OFFSET = timedelta(hours=14)
"""Maximum offset of a clock from UTC."""

_NAME = re.compile(rb"([!-9;-~]+)[ \t]*:")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields from top to bottom: names in lower case, values unfolded, not decoded.

    `is_sound` is False if a line is neither a field nor a continuation, because other programs may then parse the block
    differently.
    """

    fields: tuple[tuple[str, str], ...]
    is_sound: bool = True

    def every(self, name: str) -> list[str]:
        """Return all values of that name, not decoded."""
        name = name.lower()
        return [value for field_name, value in self.fields if field_name == name]

    def first(self, name: str) -> str:
        """Return the topmost value of that name; empty if there is none."""
        return next(iter(self.every(name)), "")

    def has(self, *names: str) -> bool:
        """Whether there is a field with one of these names."""
        return any(field_name in names for field_name, _value in self.fields)


def headers_of(raw: bytes) -> Headers:
    """Parse the header block of a raw message; never raises.

    All kinds of line ends are accepted. Blank lines before the block and the first line of an mbox file are skipped.
    Fields longer than 8 KiB, and everything beyond 64 KiB or 300 fields, are absent.
    """
    return _headers_in(raw[: 2 * HEADER_LIMIT])


@lru_cache(maxsize=8)
def _headers_in(raw: bytes) -> Headers:
    """Parse the fields at the start of a message; cached, because many callers need them."""
    fields: list[list[bytes]] = []
    is_sound = True
    for index, line in enumerate(_lines(raw)):
        if line[:1] in (b" ", b"\t"):
            is_sound = is_sound and bool(fields)
            if fields:
                fields[-1].append(line)
        elif _NAME.match(line):
            fields.append([line])
        elif index or not line.startswith((b"From ", b">From ")):
            is_sound = False
    return Headers(tuple(_field(lines) for lines in fields[:FIELD_COUNT_LIMIT] if _is_short(lines)), is_sound)


def clock_offset(raw: bytes) -> int | None:
    """Return the minutes by which the clock in Date is ahead of UTC; never raises.

    None if there is no valid Date (RFC 5322 3.3); “-0000” means that the zone is unknown.
    """
    dates = headers_of(raw).every("date")
    if len(dates) != 1 or len(dates[0]) > 100:
        return None
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        ahead = parsedate_to_datetime(dates[0]).utcoffset()
        if ahead is not None and abs(ahead) <= MOST_OFFSET:
            return int(ahead.total_seconds()) // 60
    return None


def words_of(value: str, most: int = VALUE_LIMIT) -> str:
    """Decode the encoded words (RFC 2047) in the first `most` characters; never raises."""
    value = value[:most]
    if "=?" in value:
        with suppress(HeaderParseError, ValueError, LookupError):
            value = "".join(_decoded_part(part, charset) for part, charset in decode_header(value))
    return plain(value)


def plain(value: str) -> str:
    """Return `value` on one line without control characters."""
    return " ".join(_CONTROLS.sub(" ", value).split())


def _lines(raw: bytes) -> list[bytes]:
    block = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    return block.partition(b"\n\n")[0][:HEADER_LIMIT].split(b"\n") if block else []


def _is_short(lines: list[bytes]) -> bool:
    return sum(map(len, lines)) <= FIELD_LIMIT


def _field(lines: list[bytes]) -> tuple[str, str]:
    name, _colon, value = b" ".join(lines).partition(b":")
    return name.decode("ascii").rstrip().lower(), plain(decoded(value, "utf-8"))


def _decoded_part(part: str | bytes, charset: str | None) -> str:
    return part if isinstance(part, str) else decoded(part, charset or "utf-8")
