"""Positions, and other values, to and from JSON by their type hints.

Dataclasses become objects, tuples and frozensets lists, enums their values; int, str,
bool, None and `X | None` stay what they are. Coders are made once for each type, so
that storing costs little more than the JSON itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Coder = Callable[[Any], Any]


def dump(value: Any) -> str:
    """The value as compact JSON; `load` with its type gives it back."""
    kind: Any = type(value)
    return json.dumps(_coders(kind)[0](value), separators=(",", ":"), ensure_ascii=False)


def load(kind: type[T], text: str) -> T:
    """The value of type `kind` that `dump` wrote; raises ValueError on anything else."""
    hint: Any = kind
    try:
        value: T = _coders(hint)[1](json.loads(text))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"not a stored {kind.__name__}") from error
    return value


def _same(value: Any) -> Any:
    return value


@cache
def _coders(kind: Any) -> tuple[Coder, Coder]:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _coders(parts[0])
    if origin in (Union, UnionType):
        return _optional(kind, parts)
    if origin is tuple:
        return _tuple(parts)
    if origin is frozenset:
        return _frozenset(parts[0])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return (lambda member: member.value), kind
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind)
    if kind in (int, str, bool, NoneType):
        return _same, _same
    raise TypeError(f"no JSON form for {kind!r}")


def _optional(kind: Any, parts: tuple[Any, ...]) -> tuple[Coder, Coder]:
    others = [part for part in parts if part is not NoneType]
    if len(others) != 1:
        raise TypeError(f"no JSON form for {kind!r}")
    write, read = _coders(others[0])
    if write is _same:
        return _same, _same
    return (lambda v: None if v is None else write(v)), (lambda v: None if v is None else read(v))


def _tuple(parts: tuple[Any, ...]) -> tuple[Coder, Coder]:
    if len(parts) == 2 and parts[1] is Ellipsis:
        write, read = _coders(parts[0])
        if write is _same:
            return list, tuple
        return (lambda v: [write(item) for item in v]), (lambda v: tuple([read(item) for item in v]))
    coders = [_coders(part) for part in parts]
    return (
        lambda v: [coder[0](item) for coder, item in zip(coders, v, strict=True)],
        lambda v: tuple([coder[1](item) for coder, item in zip(coders, v, strict=True)]),
    )


def _frozenset(part: Any) -> tuple[Coder, Coder]:
    write, read = _coders(part)
    return (lambda v: sorted(write(item) for item in v)), (lambda v: frozenset(read(item) for item in v))


def _dataclass(kind: type) -> tuple[Coder, Coder]:
    hints = get_type_hints(kind, include_extras=True)
    coders = [(field.name, *_coders(hints[field.name])) for field in fields(kind) if field.init]
    plain = all(write is _same for _name, write, _read in coders)
    if plain:
        names = [name for name, _write, _read in coders]
        return (lambda v: {name: getattr(v, name) for name in names}), (lambda v: kind(**v))
    return (
        lambda v: {name: write(getattr(v, name)) for name, write, _read in coders},
        lambda v: kind(**{name: read(v[name]) for name, _write, read in coders}),
    )
