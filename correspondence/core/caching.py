"""Remembering what pure functions gave: for the same arguments, in the same language, up to so many answers.

Sentences of engines and service stand in the language of whoever is spoken to at the moment, which is no argument;
so a plain `lru_cache` would answer an Italian in English. Each process remembers for itself, and what was asked
for longest ago is forgotten first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from engines.wording import spoken

P = ParamSpec("P")
T = TypeVar("T")

_forgetting: list[Callable[[], None]] = []


def cached(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a pure function remember its last `most` answers; all its arguments must be hashable values."""

    def remembering(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def kept(_language: Any, *args: P.args, **named: P.kwargs) -> T:
            return function(*args, **named)

        @wraps(function)
        def asked(*args: P.args, **named: P.kwargs) -> T:
            return kept(spoken(), *args, **named)  # type: ignore[arg-type]

        _forgetting.append(kept.cache_clear)
        return asked

    return remembering


def forget() -> None:
    """Forget every answer of every such function, as at the start of a process."""
    for clear in _forgetting:
        clear()
