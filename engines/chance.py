"""Random draws from a secret seed, which anyone can repeat once the seed is published.

Each chance entry has its own stream, identified by its number in the record. The same seed, number and words give the
same draw in every later Python, because nothing here relies on the standard library's algorithms.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import MutableSequence, Sequence
from math import ceil, log
from typing import Any, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
"""Length of a seed, in bytes."""


class ChanceStream(random.Random):
    """The random draws of one chance entry: `choice`, `sample`, `shuffle` and `randrange`.

    `random()`, and methods that use it, raise TypeError. The bytes are HMAC-SHA-256 (RFC 2104) under the seed over the
    entry's number `ply`, the players' words and a counter. Floats are excluded because they cannot be checked by hand.
    """

    def __new__(cls, *_args: object, **_named: object) -> ChanceStream:
        """Create the stream without seeding the base class."""
        return super().__new__(cls)

    def __init__(self, seed: bytes, ply: int, words: tuple[str, str] = ("", "")) -> None:
        """Start the stream of entry `ply`; raise ValueError if the seed is not SEED_BYTES long."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        hashes = "\n".join(hashlib.sha256(word.encode()).hexdigest() for word in words)
        self._seed, self._message = seed, f"lots-1\n{ply}\n{hashes}\n"
        self._counter, self._bytes = 0, b""

    def randbytes(self, n: int) -> bytes:
        """Return the next n bytes of the stream."""
        while len(self._bytes) < n:
            block = hmac.digest(self._seed, f"{self._message}{self._counter}".encode(), "sha256")
            self._counter, self._bytes = self._counter + 1, self._bytes + block
        taken, self._bytes = self._bytes[:n], self._bytes[n:]
        return taken

    def getrandbits(self, k: int, /) -> int:
        """Return a k-bit integer from the next whole bytes, big-endian, dropping surplus bits."""
        length = (k + 7) // 8
        return int.from_bytes(self.randbytes(length), "big") >> (8 * length - k)

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n - 1; consume nothing if n is 1."""
        if n < 1:
            raise ValueError("There is nothing to draw from.")
        if n == 1:
            return 0
        while (drawn := self.getrandbits(n.bit_length())) >= n:
            continue
        return drawn

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return an integer from `range(start, stop, step)`, or from `range(start)`."""
        among = range(start) if stop is None else range(start, stop, step)
        return among[self.below(len(among))]

    def choice(self, seq: Any) -> Any:
        """Return one element of a sequence."""
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a list in place."""
        for at in reversed(range(1, len(x))):
            other = self.below(at + 1)
            x[at], x[other] = x[other], x[at]

    def sample(self, population: Sequence[T], k: int, *, counts: None = None) -> list[T]:  # type: ignore[override]
        """Return k different elements of a sequence in drawing order, by CPython 3.11's algorithm."""
        if not 0 <= k <= len(population):
            raise ValueError("A sample is no larger than what it is drawn from.")
        room = 21 if k <= 5 else 21 + int(4 ** ceil(log(k * 3, 4)))
        return self._from_pool(population, k) if len(population) <= room else self._from_many(population, k)

    def _from_pool(self, population: Sequence[T], k: int) -> list[T]:
        pool, drawn = list(population), []
        for left in range(len(pool), len(pool) - k, -1):
            at = self.below(left)
            drawn.append(pool[at])
            pool[at] = pool[left - 1]
        return drawn

    def _from_many(self, population: Sequence[T], k: int) -> list[T]:
        drawn: dict[int, T] = {}
        while len(drawn) < k:
            at = self.below(len(population))
            drawn.setdefault(at, population[at])
        return list(drawn.values())

    def random(self) -> float:
        """Raise TypeError: floats are not used for chance."""
        raise TypeError("Chance draws whole numbers only: use rng.choice, rng.sample, rng.shuffle or rng.randrange.")
