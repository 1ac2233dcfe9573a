"""What tests have patched at the moment, by pytest's MonkeyPatch: a patched program is another program."""

from __future__ import annotations

from typing import Any

from pytest import MonkeyPatch

_PATCHES: dict[int, list[str]] = {}
"""What each MonkeyPatch has set and not undone, as text."""


def watch() -> None:
    """Let `patched` know what is patched from now on."""
    for name in ("setattr", "delattr", "setitem", "delitem", "setenv", "delenv"):
        _note(name)
    undo = MonkeyPatch.undo

    def undone(self: MonkeyPatch) -> None:
        _PATCHES.pop(id(self), None)
        undo(self)

    MonkeyPatch.undo = undone  # type: ignore[method-assign]


def _note(name: str) -> None:
    patch = getattr(MonkeyPatch, name)

    def noted(self: MonkeyPatch, *args: Any, **more: Any) -> None:
        _PATCHES.setdefault(id(self), []).append(f"{name} {args!r} {more!r}")
        patch(self, *args, **more)

    setattr(MonkeyPatch, name, noted)


def patched() -> tuple[str, ...]:
    """What is patched: two answers are equal where the same values were put into the same places."""
    return tuple(sorted(text for texts in _PATCHES.values() for text in texts))
