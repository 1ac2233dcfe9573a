"""Options of games: typed dataclasses, parsed from text and written back.

Fields are bool, `Annotated[int, Between(a, b)]` or an Enum with string values; every field has a default. A bool is
written `yes` or `no`; `true` and `false` are also accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache, lru_cache
from typing import Any, TypeVar, get_args, get_type_hints

from engines.refusal import Refusal
from engines.wording import _, listing

Chosen = TypeVar("Chosen")

MOST_VALUES = 100
"""Maximum number of values of one option; pages list them all."""

RESERVED_OPTIONS = frozenset(
    "games standing rating reliability again language days pair any seat robots policy rated options notation".split()
)
"""Reserved option names, which challenges, seeks or questions about rules use."""


@dataclass(frozen=True, slots=True)
class Between:
    """The inclusive bounds of an integer option."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One option of a game: its name, its values as text, and its default as text."""

    name: str
    values: tuple[str, ...]
    default: str


class OptionError(Refusal):
    """Raised for invalid options; str() is a sentence that lists what is allowed."""


def read_options(Options: type[Chosen], texts: Mapping[str, str]) -> Chosen:
    """Parse options from `name=value` texts, ignoring case; raise OptionError."""
    kinds: Any = Options
    choices = {choice.name: choice for choice in choices_of(kinds)}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        key = name.strip().casefold().replace("-", "_")
        if key not in choices:
            raise OptionError(_unknown(name, tuple(choices)))
        values[key] = _value(_kinds(kinds)[key], choices[key], text)
    return Options(**values)


def write_options(options: Any) -> dict[str, str]:
    """Write the options that differ from their defaults, in the form that `read_options` parses."""
    kinds: Any = type(options)
    return {
        choice.name: text
        for choice in choices_of(kinds)
        if (text := _text(getattr(options, choice.name))) != choice.default
    }


@lru_cache(maxsize=256)
def options_text(options: Any) -> str:
    """Write the options that differ from their defaults as one text of `name=value` words."""
    return " ".join(f"{name}={value}" for name, value in write_options(options).items())


def options_from(words: str) -> dict[str, str]:
    """Parse `name=value` words into a mapping of names to values."""
    return dict(word.split("=", 1) for word in words.split() if "=" in word)


@cache
def choices_of(Options: Any) -> tuple[OptionChoice, ...]:
    """Return every option in order, with the texts it accepts.

    An integer option accepts all values within its bounds. Raises ValueError for one with more than MOST_VALUES values,
    and TypeError for a field of an unsupported type.
    """
    kinds = _kinds(Options)
    return tuple(OptionChoice(field.name, _texts(kinds[field.name]), _text(field.default)) for field in fields(Options))


@cache
def _kinds(Options: Any) -> dict[str, Any]:
    return get_type_hints(Options, include_extras=True)


def _texts(kind: Any) -> tuple[str, ...]:
    if kind is bool:
        return ("no", "yes")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(member.value) for member in kind)
    bounds = next((part for part in get_args(kind) if isinstance(part, Between)), None)
    if bounds is None:
        raise TypeError("An option is a bool, an Annotated[int, Between(a, b)] or an Enum.")
    if bounds.high - bounds.low >= MOST_VALUES:
        raise ValueError(f"An option has at most {MOST_VALUES} values, not those from {bounds.low} to {bounds.high}.")
    return tuple(str(number) for number in range(bounds.low, bounds.high + 1))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value if isinstance(value, Enum) else value)


def _value(kind: Any, choice: OptionChoice, text: str) -> Any:
    wanted = text.strip().casefold()
    if kind is bool:
        wanted = {"true": "yes", "false": "no"}.get(wanted, wanted)
    for known in choice.values:
        if wanted == known.casefold():
            return kind(known) if isinstance(kind, type) and issubclass(kind, Enum) else _plain(kind, known)
    raise OptionError(
        _("Option “{name}” can be {values}, not “{text}”.").format(
            name=choice.name, values=listing(choice.values), text=text.strip()[:40]
        )
    )


def _plain(kind: Any, text: str) -> bool | int:
    return text == "yes" if kind is bool else int(text)


def _unknown(name: str, known: tuple[str, ...]) -> str:
    shown = name.strip()[:40]
    if not known:
        return _("This game has no options, so “{name}” has no effect here.").format(name=shown)
    if len(known) == 1:
        return _("There is no option “{name}” here; the only one is {known}.").format(name=shown, known=known[0])
    return _("There is no option “{name}” here; there are {known}.").format(name=shown, known=listing(known, _("and")))
