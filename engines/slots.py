"""Frozen, slotted dataclasses that are made in half the time.

Positions and moves are values, made by the hundred thousand when games are played on by lot. The `__init__` that
`dataclasses` writes for a frozen class finds each field by its name through `object.__setattr__`; here each value
goes straight into its slot.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def filled_directly(kind: type[T]) -> type[T]:
    """The frozen, slotted dataclass with another `__init__`, which takes the same and does the same, sooner.

    Only for classes all of whose fields are given to `__init__`, without default factories and `__post_init__`.
    """
    known: Any = kind
    described = fields(known)
    scope: dict[str, Any] = {f"set_{field.name}": getattr(kind, field.name).__set__ for field in described}
    scope |= {f"default_{field.name}": field.default for field in described}
    parameters = ", ".join(_parameter(field) for field in described)
    statements = "; ".join(f"set_{field.name}(self, {field.name})" for field in described)
    exec(f"def __init__(self, {parameters}): {statements}", scope)
    scope["__init__"].__annotations__ = known.__init__.__annotations__
    scope["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    known.__init__ = scope["__init__"]
    return kind


def _parameter(field: Field[Any]) -> str:
    return field.name if field.default is MISSING else f"{field.name}=default_{field.name}"
