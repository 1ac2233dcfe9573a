"""Numbers by which pages name a thing, made of nothing but what the thing says to who may see it.

The number of a row counts the rows of everybody, so it tells how much others write in private. These do not. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_BYTES = 4


def public_numbers(contents: Sequence[str]) -> tuple[int, ...]:
    """A number for each of these texts, the same wherever the text stands; equal texts get numbers one after another.

    Each is above nothing and can be the number of a row (31 bits).
    """
    given: dict[int, None] = {}
    for content in contents:
        number = int.from_bytes(hashlib.sha256(content.encode()).digest()[:_BYTES], "big") >> 1 or 1
        while number in given:
            number = number % (2**31 - 1) + 1
        given[number] = None
    return tuple(given)
