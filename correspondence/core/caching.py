"""A least-recently-used cache for pure functions, keyed by the arguments and by the current language.

Engines and service make sentences in the reader's language. That language is context, not an argument, so a plain
`lru_cache` could answer an Italian in English. Each process has its own cache.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import sha256
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from engines.wording import current_translations

P = ParamSpec("P")
T = TypeVar("T")

_clearers: list[Callable[[], None]] = []


def cached(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: cache the last `most` results of a pure function; all its arguments must be hashable values."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        """The same function with a cache of its own, which `clear_caches` empties."""

        @lru_cache(maxsize=most)
        def by_language(_language: Any, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
            return by_language(current_translations(), *args, **kwargs)  # type: ignore[arg-type]

        _clearers.append(by_language.cache_clear)
        return wrapper

    return decorate


class PackedBodies:
    """What a function made of bodies of bytes, kept until all results together exceed `most` bytes; oldest use goes first.

    A body is known by its digest, so nobody can be given what was made of another one.
    """

    def __init__(self, pack: Callable[[bytes], bytes], most: int) -> None:
        self._pack, self._most = pack, most
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._size, self._lock = 0, Lock()

    def of(self, body: bytes) -> bytes:
        """What the function makes of this body; made once as long as it is kept."""
        key = sha256(body).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        packed = self._pack(body)
        with self._lock:
            self._keep(key, packed)
        return packed

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._size

    def _keep(self, key: bytes, packed: bytes) -> None:
        if key in self._kept or len(packed) > self._most:
            return
        self._kept[key] = packed
        self._size += len(packed)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])


def clear_caches() -> None:
    """Empty every cache made by `cached`, as at the start of a process."""
    for clear in _clearers:
        clear()
