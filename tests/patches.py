"""The current patches by pytest's MonkeyPatch, because a patched program may act differently."""

from __future__ import annotations

from typing import Any

from pytest import MonkeyPatch

_PATCHES: dict[int, list[str]] = {}
"""Patches of each MonkeyPatch that are not undone, as text."""


def watch() -> None:
    """Record patches from now on, for `patched`."""
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
    """Return the current patches; equal results mean equal patches."""
    return tuple(sorted(text for texts in _PATCHES.values() for text in texts))
