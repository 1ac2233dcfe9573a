"""Form and query fields: text without control characters, and numbers that fit any database."""

from __future__ import annotations

from collections.abc import Mapping

from flask import request
from werkzeug.routing import IntegerConverter, Map

from correspondence.core.integers import whole
from correspondence.core.move_text import written_move
from correspondence.core.stacked_marks import without_stacks

LARGEST = 2**31 - 1
"""The largest row id."""


class RowNumber(IntegerConverter):
    """URL converter for a row id or a ply."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=LARGEST)


def form_text(name: str, most: int = 200) -> str:
    """A form field without control characters, cut to `most` characters."""
    return plain(request.form.get(name, ""), most)


def move_field(most: int) -> str:
    """The form's move, picked from a list or typed as in mails; at most `most` characters."""
    return written_move(form_text("pick", most) or form_text("move", most))


def dice_words() -> str:
    """The form's words for the dice, uncut: invalid words are refused, not shortened."""
    return request.form.get("words", "")


def query_text(name: str, most: int = 60) -> str:
    """A query field without control characters, cut to `most` characters."""
    return plain(request.args.get(name, ""), most)


def is_ticked(name: str) -> bool:
    """Whether a checkbox of the form is ticked."""
    return bool(request.form.get(name))


def plain(text: str, most: int) -> str:
    """Clean a text: drop control characters except line ends, and stacked marks; cut and strip."""
    printable = "".join(c for c in text.replace("\r\n", "\n") if c == "\n" or (c.isprintable() and c != "\x7f"))
    return without_stacks(printable)[:most].strip()


def number(text: str) -> int | None:
    """Parse a row id or ply; None if the text is not such a number."""
    return whole(text, LARGEST)


def chosen_options(names: tuple[str, ...], fields: Mapping[str, str]) -> dict[str, str]:
    """The game options in a form, whose fields are called `option-NAME`."""
    return {name: plain(fields[f"option-{name}"], 40) for name in names if fields.get(f"option-{name}")}
