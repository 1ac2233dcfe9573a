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
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Coder = Callable[[Any], Any]

_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def dump(value: Any) -> str:
    """The value as compact JSON; `load` with its type gives it back."""
    kind: Any = type(value)
    return _encode(_coders(kind)[0](value))


def load(kind: type[T], text: str) -> T:
    """The value of type `kind` that `dump` wrote; raises ValueError on anything else."""
    hint: Any = kind
    try:
        value: T = _coders(hint)[1](_decode(text))
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
        return attrgetter("_value_"), {member.value: member for member in kind}.__getitem__
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
    if write is read is _same:
        return _same, _same
    return (lambda v: None if v is None else write(v)), (lambda v: None if v is None else read(v))


def _tuple(parts: tuple[Any, ...]) -> tuple[Coder, Coder]:
    if len(parts) == 2 and parts[1] is Ellipsis:
        write, read = _coders(parts[0])
        if write is read is _same:
            return _same, tuple
        return (lambda v: [write(item) for item in v]), (lambda v: tuple([read(item) for item in v]))
    coders = [_coders(part) for part in parts]
    if all(write is read is _same for write, read in coders):
        return _same, lambda v: tuple([item for item, _part in zip(v, parts, strict=True)])
    return (
        lambda v: [coder[0](item) for coder, item in zip(coders, v, strict=True)],
        lambda v: tuple([coder[1](item) for coder, item in zip(coders, v, strict=True)]),
    )


def _frozenset(part: Any) -> tuple[Coder, Coder]:
    write, read = _coders(part)
    return (lambda v: sorted(write(item) for item in v)), (lambda v: frozenset(read(item) for item in v))


def _dataclass(kind: type) -> tuple[Coder, Coder]:
    hints = get_type_hints(kind, include_extras=True)
    coders = {field.name: _coders(hints[field.name]) for field in fields(kind) if field.init}
    return _writer(coders), _reader(kind, coders)


def _writer(coders: dict[str, tuple[Coder, Coder]]) -> Coder:
    """An object's fields by name; those that JSON has no form for are changed after all have been fetched."""
    names, changed = tuple(coders), [(name, write) for name, (write, _read) in coders.items() if write is not _same]
    if len(names) < 2:
        return lambda v: {name: coders[name][0](getattr(v, name)) for name in names}
    values = attrgetter(*names)

    def written(value: Any) -> dict[str, Any]:
        """The value as JSON has it."""
        row = dict(zip(names, values(value), strict=True))
        for name, write in changed:
            row[name] = write(row[name])
        return row

    return written


def _reader(kind: type, coders: dict[str, tuple[Coder, Coder]]) -> Coder:
    changed = [(at, read) for at, (_write, read) in enumerate(coders.values()) if read is not _same]
    if not changed:
        return lambda row: kind(**row)
    names = tuple(coders)
    by_name = any(field.kw_only for field in fields(kind))

    def read_from(row: dict[str, Any]) -> Any:
        """The object whose fields JSON gives."""
        values = [row[name] for name in names]
        for at, read in changed:
            values[at] = read(values[at])
        return kind(**dict(zip(names, values, strict=True))) if by_name else kind(*values)

    return read_from
