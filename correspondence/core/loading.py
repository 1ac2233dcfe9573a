"""Loading a program: without looking for garbage in it, and without what it may never need."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

NEW_OBJECTS = 10_000
"""So many new containers are made before garbage is looked for among them. A page makes as many, hardly any of which is
garbage that only such a look would find; to look at every 700, as Python does, takes a twentieth of its time."""


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Context manager: no garbage is collected in the block, what it made is never looked through again, and what comes
    later less often.

    For what is loaded and lives as long as the process. To look through it takes 0.15 s each time, and a fifth of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS, 5)
        gc.enable()


class _LazyModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def lazy_module(name: str) -> ModuleType:
    """A module that is loaded when it is first asked for something, for what most processes never need.

    Whoever uses it imports it for type checkers, and takes this one when running:

        if TYPE_CHECKING:
            from correspondence.commands import handlers
        else:
            handlers = lazy_module("correspondence.commands.handlers")

    So both they and the rules about imports know what it is. Threads that ask at once wait for the one that loads it.
    """
    return _LazyModule(name)
