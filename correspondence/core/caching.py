"""LRU caches for pure functions, keyed by the arguments and the current language.

Sentences depend on the reader's language, which is context, not an argument. A plain `lru_cache` could therefore return
a sentence in another reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from cachetools import Cache, LRUCache
from cachetools import cached as cached_in
from cachetools.keys import hashkey

from engines.wording import current_translations

P = ParamSpec("P")
T = TypeVar("T")

_CACHES: list[Cache[Any, Any]] = []


def key_by_language(*args: Hashable, **kwargs: Hashable) -> Hashable:
    """Return the cache key of a call: its arguments and the current language."""
    return hashkey(current_translations(), *args, **kwargs)


def cached(
    size: int, *, key: Callable[..., Hashable] = key_by_language, weigh: Callable[[Any], int] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: cache the results of a function, whose result depends only on its `key`.

    `size` is the maximum number of results, or the maximum total of `weigh` over them.
    """
    cache: LRUCache[Any, Any] = LRUCache(size, weigh)
    _CACHES.append(cache)
    return cached_in(cache, key, Lock())


def clear_caches() -> None:
    """Empty all caches."""
    for cache in _CACHES:
        cache.clear()
