"""Check that dataclass values from other packages have the declared types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def mistyped(value: Any, place: str = "") -> str:
    """Describe in a sentence the first dataclass field of a wrong type; "" if there is none."""
    return next(_in_fields(value, place), "")


def _in_fields(value: Any, place: str) -> Iterator[str]:
    hints = get_type_hints(type(value))
    for field in fields(value):
        yield from _faults(getattr(value, field.name), hints[field.name], f"{place}{field.name}")


def _faults(value: Any, hint: Any, place: str) -> Iterator[str]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if not any(next(_faults(value, part, place), "") == "" for part in parts):
            yield from _in_the_likeliest(value, parts, place)
    elif origin is tuple and parts[1:] == (Ellipsis,):
        yield from _in_parts(value, tuple, lambda: [(part, parts[0]) for part in value], place)
    elif origin is tuple:
        yield from _in_parts(value, tuple, lambda: list(zip(value, parts, strict=True)), place)
    elif origin is Mapping:
        yield from _in_parts(
            value, Mapping, lambda: [(part, parts[at]) for pair in value.items() for at, part in enumerate(pair)], place
        )
    elif not _is_one(value, hint, origin, parts):
        yield f"{place} is {_shown(value)}, and should be {_named(hint)}."
    elif is_dataclass(hint):
        yield from _in_fields(value, f"{place}.")


def _in_parts(value: Any, kind: type, parts: Callable[[], list[tuple[Any, Any]]], place: str) -> Iterator[str]:
    if not isinstance(value, kind):
        yield f"{place} is {_shown(value)}, and should be a {kind.__name__.lower()}."
        return
    for at, (part, hint) in enumerate(parts()):
        yield from _faults(part, hint, f"{place}[{at}]")


def _in_the_likeliest(value: Any, kinds: tuple[Any, ...], place: str) -> Iterator[str]:
    """Describe the fault of a value in a union, relative to the most similar type."""
    kind = next((one for one in kinds if isinstance(one, type) and isinstance(value, one)), None)
    if kind is not None:
        yield from _faults(value, kind, place)
    yield f"{place} is {_shown(value)}, and should be {' or '.join(map(_named, kinds))}."


def _is_one(value: Any, hint: Any, origin: Any, parts: tuple[Any, ...]) -> bool:
    if hint is Any:
        return True
    if origin is Literal:
        return value in parts
    if origin is Callable or hint is Callable:
        return callable(value)
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool)
    kind = origin or hint
    return isinstance(value, kind) if isinstance(kind, type) else True


def _named(hint: Any) -> str:
    plain = {NoneType: "None", str: "a text", int: "a whole number", float: "a number", type: "a class"}
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    return plain.get(hint) or f"a {getattr(hint, '__name__', None) or hint}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
