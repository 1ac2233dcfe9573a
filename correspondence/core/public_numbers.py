"""Numbers by which pages name a thing, derived only from what the thing says to those who may see it.

A row id counts everybody's rows, so it would reveal how much others do in private. These numbers do not. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

_BYTES = 4

_MOST = 2**31 - 1
"""The greatest number that fits a row id."""

_MOST_TYPED = 9_999_999
"""The greatest number of what people name when they write to us, such as `accept 4829137`."""


def public_numbers(contents: Sequence[str]) -> tuple[int, ...]:
    """A number for each of these texts, independent of its place; equal texts get consecutive numbers.

    Each is at least 1 and fits a row id (31 bits).
    """
    numbers: dict[int, None] = {}
    for content in contents:
        numbers[_free(_number(content) or 1, numbers.__contains__, _MOST)] = None
    return tuple(numbers)


def typed_number(content: str, is_taken: Callable[[int], bool]) -> int:
    """A number for this text that people can type: the first that is not taken, from the one that follows from the text."""
    return _free(_number(content) % _MOST_TYPED + 1, is_taken, _MOST_TYPED)


def _number(content: str) -> int:
    return int.from_bytes(hashlib.sha256(content.encode()).digest()[:_BYTES], "big") >> 1


def _free(number: int, is_taken: Callable[[int], bool], most: int) -> int:
    while is_taken(number):
        number = number % most + 1
    return number
