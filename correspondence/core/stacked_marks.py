"""Limit stacked combining marks: a few form accents, hundreds would cover adjacent lines."""

from __future__ import annotations

import unicodedata
from itertools import groupby

MOST_MARKS = 6
"""Maximum combining marks in a row; no living script needs more."""


def without_stacks(text: str) -> str:
    """Return `text` with at most MOST_MARKS combining marks on each letter."""
    if text.isascii():
        return text
    runs = groupby(text, key=_is_mark)
    return "".join("".join(list(run)[:MOST_MARKS] if is_mark else run) for is_mark, run in runs)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")
