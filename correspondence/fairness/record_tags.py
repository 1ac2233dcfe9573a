"""The record values covered by the signed end: tags, times and comments."""

from __future__ import annotations

import re

from correspondence.core.terms import Occasion
from correspondence.core.time_control import Policy, TimeControl
from correspondence.models import Match
from engines.base import CHANCE, Seat

EVENT = "Correspondence game"
"""The Event tag of a casual game's record."""

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Matches line breaks; spaces are kept, because players' words are hashed with them."""


def tag_value(text: str) -> str:
    """Write a text as the value of a tag: on one line."""
    return _BREAKS.sub(" ", text).strip()


def occasion_of(match: Match) -> Occasion:
    """Return event, round and section of a match as its record says them."""
    return Occasion(tag_value(match.event) or EVENT, tag_value(match.round), tag_value(match.section))


def played_result(match: Match) -> tuple[str, str]:
    """Return the result and reason as played, before any operator's decision."""
    return (match.played_result, match.played_reason) if match.played_result else (match.result, match.reason)


def date_tag(match: Match) -> str:
    """Write the day on which a match began, in UTC."""
    return f"{match.started_at:%Y.%m.%d}"


def write_time_control(time_control: TimeControl) -> str:
    """Write a time control as `name=value` words, in seconds; omit the default policy."""
    spans = {"bank": time_control.bank, "increment": time_control.increment, "cap": time_control.cap}
    words = [f"{name}={int(length.total_seconds())}" for name, length in spans.items()]
    return " ".join(words if time_control.policy == Policy.AUTOMATIC else [*words, f"policy={time_control.policy}"])


def time_tag(seat: Seat, spent: int) -> str:
    """Return the time of an entry for `%emt`, from seconds; empty for an entry by chance."""
    minutes, seconds = divmod(spent, 60)
    return "" if seat == CHANCE else f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
