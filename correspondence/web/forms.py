"""Reading what visitors send: text without control characters, numbers that any database can hold."""

from __future__ import annotations

from collections.abc import Mapping

from flask import request
from werkzeug.routing import IntegerConverter, Map

from correspondence.core.integers import whole

LARGEST = 2**31 - 1
"""The largest number of a row."""


class RowNumber(IntegerConverter):
    """A number in an address that can be the number of a row, or of an entry."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=LARGEST)


def written(name: str, most: int = 200) -> str:
    """A field of the form as the visitor wrote it, without control characters, at most so long."""
    return plain(request.form.get(name, ""), most)


def asked_for(name: str, most: int = 60) -> str:
    """A field of the address, likewise."""
    return plain(request.args.get(name, ""), most)


def ticked(name: str) -> bool:
    """Whether a box of the form is ticked."""
    return bool(request.form.get(name))


def plain(text: str, most: int) -> str:
    """The text without control characters but line ends, cut and stripped."""
    kept = "".join(c for c in text.replace("\r\n", "\n") if c == "\n" or (c.isprintable() and c != "\x7f"))
    return kept[:most].strip()


def number(text: str) -> int | None:
    """The number a text says, None where it says none that a row can have."""
    return whole(text, LARGEST)


def chosen_options(names: tuple[str, ...], fields: Mapping[str, str]) -> dict[str, str]:
    """The options of a game that a form sets; fields are called `option-NAME`."""
    return {name: plain(fields[f"option-{name}"], 40) for name in names if fields.get(f"option-{name}")}
