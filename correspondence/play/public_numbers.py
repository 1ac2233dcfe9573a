"""Numbers by which pages name a thing, derived only from what the thing says to those who may see it.

A row id counts everybody's rows, so it would reveal how much others write in private. These numbers do not. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_BYTES = 4


def public_numbers(contents: Sequence[str]) -> tuple[int, ...]:
    """A number for each of these texts, independent of its place; equal texts get consecutive numbers.

    Each is at least 1 and fits a row id (31 bits).
    """
    numbers: dict[int, None] = {}
    for content in contents:
        number = int.from_bytes(hashlib.sha256(content.encode()).digest()[:_BYTES], "big") >> 1 or 1
        while number in numbers:
            number = number % (2**31 - 1) + 1
        numbers[number] = None
    return tuple(numbers)
