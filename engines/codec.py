"""Convert positions and other values to and from JSON by their type hints.

Dataclasses become objects, tuples and frozensets lists, enums their values; int, str, bool, None and `X | None` stay
unchanged. A coder is compiled once for each type, because storing positions must be fast.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from json.encoder import encode_basestring
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


class Coder(NamedTuple):
    """A pair of functions that write and read values of one type as JSON."""

    write: Callable[[Any], str]
    read: Callable[[Any], Any]


def dump(value: Any) -> str:
    """Write the value as compact JSON; `load` reads it."""
    kind: Any = type(value)
    return _coder(kind).write(value)


def load(kind: type[T], text: str) -> T:
    """Read a value of type `kind` from the JSON of `dump`; raise ValueError if it is invalid."""
    hint: Any = kind
    try:
        row, end = _decode(text)
        value: T = _coder(hint).read(row)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"not a stored {kind.__name__}") from error
    if end != len(text):
        raise ValueError(f"more than a stored {kind.__name__}")
    return value


def _same(value: Any) -> Any:
    return value


_PLAIN = {
    int: Coder(int.__repr__, _same),
    str: Coder(encode_basestring, _same),
    bool: Coder({False: "false", True: "true"}.__getitem__, _same),
    NoneType: Coder(_encode, _same),
}


@cache
def _coder(kind: Any) -> Coder:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _coder(parts[0])
    if origin in (Union, UnionType):
        return _optional(kind, parts)
    if origin is tuple:
        return _row(_coder(parts[0])) if parts[1:] == (Ellipsis,) else _tuple([_coder(part) for part in parts])
    if origin is frozenset:
        return _frozenset(_coder(parts[0]))
    if origin is Literal:
        return _literal(parts)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    raise TypeError(f"no JSON form for {kind!r}")


def _optional(kind: Any, parts: tuple[Any, ...]) -> Coder:
    others = [part for part in parts if part is not NoneType]
    if len(others) != 1:
        raise TypeError(f"no JSON form for {kind!r}")
    write, read = _coder(others[0])
    return Coder(
        lambda value: "null" if value is None else write(value),
        _same if read is _same else lambda value: None if value is None else read(value),
    )


def _row(part: Coder) -> Coder:
    """Return the coder of a tuple of any length."""
    write, read = part
    return Coder(
        lambda value: f"[{','.join(map(write, value))}]",
        tuple if read is _same else lambda value: tuple(map(read, value)),
    )


def _frozenset(part: Coder) -> Coder:
    """Return the coder of a frozenset, which becomes a sorted list."""
    write, read = part
    return Coder(
        lambda value: f"[{','.join(sorted(map(write, value), key=_decode))}]",
        lambda value: frozenset(map(read, value)),
    )


def _enum(kind: type[Enum]) -> Coder:
    texts = {member.value: _encode(member.value) for member in kind}
    return Coder(lambda member: texts[member._value_], {member.value: member for member in kind}.__getitem__)


def _literal(values: tuple[Any, ...]) -> Coder:
    return Coder(
        {value: _encode(value) for value in values}.__getitem__, {value: value for value in values}.__getitem__
    )


# -- compiled coders -----------------------------------------------------------------------


def _tuple(kinds: list[Coder]) -> Coder:
    """Return the coder of a tuple of fixed length."""
    parts = {f"item_{number}": part for number, part in enumerate(kinds)}
    names, shape = ", ".join(parts), ",".join("%s" for _name in parts)
    write = _compiled(f"lambda {names}: '[{shape}]' % ({_writing(parts, '{}')})", parts)
    read = _compiled(f"lambda {names}: ({_reading(parts, '{}')})", parts)
    return Coder(lambda value: write(*value), lambda value: read(*value))


def _dataclass(kind: type) -> Coder:
    """Return the coder of a dataclass, which becomes an object with its init fields."""
    hints = get_type_hints(kind, include_extras=True)
    parts = {field.name: _coder(hints[field.name]) for field in fields(kind) if field.init}
    shape = ",".join(f'"{name}":%s' for name in parts)
    write = _compiled(f"lambda value: '{{{shape}}}' % ({_writing(parts, 'value.{}')})", parts)
    if all(part.read is _same for part in parts.values()):
        return Coder(write, lambda row: kind(**row))
    values = _reading(parts, 'row["{}"]', "{}=" if any(field.kw_only for field in fields(kind)) else "")
    return Coder(write, _compiled(f"lambda row: kind({values})", parts, kind=kind))


def _writing(parts: dict[str, Coder], value: str) -> str:
    """Return source code that writes each part: `write_turn(value.turn), `."""
    return "".join(f"write_{name}({value.format(name)}), " for name in parts)


def _reading(parts: dict[str, Coder], value: str, label: str = "") -> str:
    """Return source code that reads each part: `row["turn"], read_board(row["board"]), `."""
    calls = {name: "{}{}" if part.read is _same else f"{{}}read_{name}({{}})" for name, part in parts.items()}
    return "".join(f"{call.format(label.format(name), value.format(name))}, " for name, call in calls.items())


def _compiled(source: str, parts: dict[str, Coder], **scope: Any) -> Callable[..., Any]:
    """Compile a function that calls the coder of part `turn` as `write_turn` and `read_turn`."""
    for name, part in parts.items():
        scope[f"write_{name}"], scope[f"read_{name}"] = part
    function: Callable[..., Any] = eval(source, scope)
    return function
