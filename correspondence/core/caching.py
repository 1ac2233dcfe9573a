"""A least-recently-used cache for pure functions, keyed by the arguments and by the current language.

Engines and service make sentences in the reader's language. That language is context, not an argument, so a plain
`lru_cache` could answer an Italian in English. Each process has its own cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from engines.wording import current_translations

P = ParamSpec("P")
T = TypeVar("T")

_clearers: list[Callable[[], None]] = []


def cached(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: cache the last `most` results of a pure function; all its arguments must be hashable values."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def by_language(_language: Any, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
            return by_language(current_translations(), *args, **kwargs)  # type: ignore[arg-type]

        _clearers.append(by_language.cache_clear)
        return wrapper

    return decorate


def clear_caches() -> None:
    """Empty every cache made by `cached`, as at the start of a process."""
    for clear in _clearers:
        clear()
