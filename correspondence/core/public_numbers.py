"""Public numbers of items on pages, derived only from their visible content.

A row id would reveal how many rows others have, and so private activity. These numbers do not. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

_BYTES = 4

_MOST = 2**31 - 1
"""Maximum row id."""

_MOST_TYPED = 9_999_999
"""Maximum of numbers that people type in mail, such as `accept 4829137`."""


def public_numbers(contents: Sequence[str]) -> tuple[int, ...]:
    """Return a number for each text from its hash; equal texts get consecutive numbers.

    Each number is at least 1 and fits a row id (31 bits).
    """
    numbers: dict[int, None] = {}
    for content in contents:
        numbers[_free(_number(content) or 1, numbers.__contains__, _MOST)] = None
    return tuple(numbers)


def typed_number(content: str, is_taken: Callable[[int], bool]) -> int:
    """Return a number that people can type: the first free one from the hash of `content`."""
    return _free(_number(content) % _MOST_TYPED + 1, is_taken, _MOST_TYPED)


def _number(content: str) -> int:
    return int.from_bytes(hashlib.sha256(content.encode()).digest()[:_BYTES], "big") >> 1


def _free(number: int, is_taken: Callable[[int], bool], most: int) -> int:
    while is_taken(number):
        number = number % most + 1
    return number
