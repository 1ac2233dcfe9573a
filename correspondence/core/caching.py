"""A least-recently-used cache for pure functions, keyed by the arguments and by the current language.

Engines and service make sentences in the reader's language. That language is context, not an argument, so a plain
`lru_cache` could answer an Italian in English. Each process has one cache, and it is bounded by bytes: a number of
entries says nothing of how large they are.
"""

from __future__ import annotations

import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from engines.wording import current_translations

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 6 << 20
"""What is remembered in all, as `weight` reckons it."""

WEIGHED_ONCE_IN = 64
"""Of so many results of a function that are no text one is weighed."""

_SHARE = 4
"""An object takes about so many times the bytes that it is written in."""

_TEXT = (str, bytes)

_UNWRITTEN = 64 << 10
"""What is reckoned for a value that cannot be written, because it refers to functions of the program."""


class Memory:
    """Results by their keys, at most `most` bytes of them; what was not asked for longest is forgotten first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.bytes = most, 0
        self._kept: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any, make: Callable[[], T], weigh: Callable[[Iterable[Any]], int] | None = None) -> T:
        """The result that is kept under this key, or else the one that `make` gives, which is kept then.

        `weigh` says what arguments and result take together; the sum of their weights, unless told.
        """
        with self._lock:
            kept: tuple[T, int] | None = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept[0]
        made = make()
        self._keep(key, made, (weigh or weight_of_all)((*key[-2], made)))
        return made

    def known(self, key: Any) -> Any:
        """The result that is kept under this key; None where there is none."""
        with self._lock:
            return self._kept.get(key, (None, 0))[0]

    def _keep(self, key: Any, made: Any, size: int) -> None:
        if size > self.most:
            return
        kept = made, size
        with self._lock:
            if self._kept.setdefault(key, kept) is kept:  # else another thread has made it meanwhile
                self.bytes += size
            while self.bytes > self.most:
                self.bytes -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0


MEMORY = Memory()
"""What this process remembers."""


def weight(value: Any) -> int:
    """How many bytes a value takes: text, octets and numbers exactly, all else about, by how it is written.

    A text takes two bytes for each letter as soon as one of them is no Latin one, such as a quotation mark of ours.
    """
    if isinstance(value, str | bytes | int):
        return sys.getsizeof(value)
    try:
        return _SHARE * len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    except (pickle.PicklingError, AttributeError, TypeError):
        return _UNWRITTEN


def weight_of_all(values: Iterable[Any]) -> int:
    """About how many bytes these values take together."""
    return sum(map(weight, values))


class Scale:
    """Weighs the results of one function: texts each time, all else each WEIGHED_ONCE_IN-th time and else like the last.

    To weigh a position or a scene takes as long as to write it.
    """

    def __init__(self) -> None:
        self._count = self._last = 0

    def weigh(self, values: Iterable[Any]) -> int:
        """About how many bytes these values take together."""
        weighed = tuple(values)
        if self._count % WEIGHED_ONCE_IN == 0:
            self._last = weight_of_all(value for value in weighed if not isinstance(value, _TEXT))
        self._count += 1
        return sum([sys.getsizeof(value) for value in weighed if isinstance(value, _TEXT)]) + self._last


def cached(function: Callable[P, T]) -> Callable[P, T]:
    """Decorator: remember the results of a pure function; all its arguments must be hashable values."""

    scale = Scale()

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (current_translations(), function, args, tuple(kwargs.items()))
        return MEMORY.get(key, lambda: function(*args, **kwargs), scale.weigh)

    return wrapper


def known_result(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """What a function that is `cached` gave for these arguments; None where that is not remembered."""
    pure: Callable[P, T] = function.__wrapped__  # type: ignore[attr-defined]
    result: T | None = MEMORY.known((current_translations(), pure, args, tuple(kwargs.items())))
    return result


def clear_caches() -> None:
    """Forget what was remembered by `cached`, as at the start of a process."""
    MEMORY.clear()
