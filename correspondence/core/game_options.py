"""Describe game options in words for pages and letters; records use `name=value` words."""

from __future__ import annotations

from collections.abc import Mapping

from engines import GAMES
from engines.wording import N_, _

_PRESENTATIONS = [game.presentation for game in GAMES.values()][::-1]
_NAMES = {name: words for one in _PRESENTATIONS for name, words in one.options.items()}
_VALUES = {
    **{value: words for one in _PRESENTATIONS for value, words in one.values.items()},
    "yes": N_("yes"),
    "no": N_("no"),
    "none": N_("no"),
}
"""Option values in words; if two games define the same value, the first in the registry wins."""


def option_name(name: str) -> str:
    """Return the name of an option in words."""
    return _(_NAMES[name]) if name in _NAMES else name.replace("_", " ")


def option_value(value: str) -> str:
    """Return the value of an option in words; a number is unchanged."""
    return _(_VALUES[value]) if value in _VALUES else value


def in_words(chosen: Mapping[str, str]) -> str:
    """Describe the chosen options in words; an option set to `yes` is shown by its name alone."""
    return ", ".join(
        option_name(name) if value == "yes" else f"{option_name(name)}: {option_value(value)}"
        for name, value in chosen.items()
    )
