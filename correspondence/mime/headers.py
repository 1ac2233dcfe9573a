"""The header block of a raw message, read by hand: any bytes at all can be read, and quickly.

The parser of the standard library takes the whole message, needs seconds for hostile headers and
raises on values that real programs send. Here only the block before the first blank line is looked
at, within the limits that hold for every message; what is beyond a limit counts as absent.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header

from correspondence.mime.replytext.cleaning import decoded
from correspondence.mime.replytext.limits import FIELD_COUNT_LIMIT, FIELD_LIMIT, HEADER_LIMIT

VALUE_LIMIT = 998
"""Characters of a value that are decoded (RFC 5322 2.1.1)."""

_NAME = re.compile(rb"([!-9;-~]+)[ \t]*:")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of a header block from the top down: names in lower case, values in one line, not decoded.

    `is_sound` is False where a line is neither a field nor the continuation of one, so that other
    programs may read this block differently.
    """

    fields: tuple[tuple[str, str], ...]
    is_sound: bool = True

    def every(self, name: str) -> list[str]:
        """The values of all fields of that name, as they stand."""
        return [value for known, value in self.fields if known == name.lower()]

    def first(self, name: str) -> str:
        """The topmost value of that name; empty where there is none."""
        return next(iter(self.every(name)), "")

    def has(self, *names: str) -> bool:
        """Whether there is a field of one of these names."""
        return any(known in names for known, _value in self.fields)


def headers_of(raw: bytes) -> Headers:
    """The header block of a raw message; whatever the bytes are, it does not raise.

    All kinds of line ends count, blank lines before the block do not, nor does the first line of an
    mbox file. A field longer than 8 KiB, and what is beyond 64 KiB or 300 fields, is absent.
    """
    fields: list[list[bytes]] = []
    is_sound = True
    for number, line in enumerate(_lines(raw)):
        if line[:1] in (b" ", b"\t"):
            is_sound = is_sound and bool(fields)
            if fields:
                fields[-1].append(line)
        elif _NAME.match(line):
            fields.append([line])
        elif number or not line.startswith((b"From ", b">From ")):
            is_sound = False
    return Headers(tuple(_field(lines) for lines in fields[:FIELD_COUNT_LIMIT] if _is_short(lines)), is_sound)


def words_of(value: str) -> str:
    """A value, up to 998 characters, with its encoded words (RFC 2047) decoded; it does not raise."""
    value = value[:VALUE_LIMIT]
    if "=?" in value:
        with suppress(HeaderParseError, ValueError, LookupError):
            value = "".join(_spoken(part, charset) for part, charset in decode_header(value))
    return plain(value)


def plain(value: str) -> str:
    """`value` in one line without control characters."""
    return " ".join(_CONTROLS.sub(" ", value).split())


def _lines(raw: bytes) -> list[bytes]:
    block = raw[: 2 * HEADER_LIMIT].replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    return block.partition(b"\n\n")[0][:HEADER_LIMIT].split(b"\n") if block else []


def _is_short(lines: list[bytes]) -> bool:
    return sum(map(len, lines)) <= FIELD_LIMIT


def _field(lines: list[bytes]) -> tuple[str, str]:
    name, _colon, value = b" ".join(lines).partition(b":")
    return name.decode("ascii").rstrip().lower(), plain(decoded(value, "utf-8"))


def _spoken(part: str | bytes, charset: str | None) -> str:
    return part if isinstance(part, str) else decoded(part, charset or "utf-8")
