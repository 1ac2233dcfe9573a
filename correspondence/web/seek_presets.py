"""Presets of the form for a seek: what most people look for, so that they need not fill in everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engines.wording import N_


@dataclass(frozen=True, slots=True)
class Preset:
    """A seek that many want: its name, a description, and the fields of the form."""

    name: str
    about: str
    fields: Mapping[str, str]


PRESETS: Mapping[str, Preset] = {
    "today": Preset(
        N_("A game today"),
        N_("A day for each move, rated. If nobody has come after six hours, a robot may take it."),
        {"pace": "1", "pair": "yes", "robots": "yes", "open-days": "1"},
    ),
    "slow": Preset(
        N_("Slow and friendly"),
        N_("A week for each move, not rated. Late players are reminded; nobody loses at once."),
        {"pace": "7", "pair": "yes", "unrated": "yes", "policy": "coax"},
    ),
    "rated": Preset(
        N_("Rated"),
        N_("The usual time, and the result changes ratings."),
        {"pace": "standard", "pair": "yes"},
    ),
}
"""The presets by key."""


def fields_of(preset: str, *, has_robots: bool) -> dict[str, str]:
    """Return the fields of a preset; empty for an unknown one. Without robots, none may take the seek."""
    chosen = PRESETS.get(preset)
    fields = dict(chosen.fields) if chosen is not None else {}
    if not has_robots:
        fields.pop("robots", None)
    return fields
