"""Registry of sweeps that features add to the worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import ColumnElement

from correspondence.core.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Sweep:
    """Due work of a feature.

    `is_due` is a condition in SQL, with the parameter `now`, that is true if `run` would find anything; it is part of
    one query for all sweeps (`ops/due.py`), so it needs an index. `run` returns how much it did.
    """

    feature: str
    name: str
    is_due: ColumnElement[bool]
    run: Callable[[Runtime], int]


SWEEPS: list[Sweep] = []
"""The registered sweeps."""
