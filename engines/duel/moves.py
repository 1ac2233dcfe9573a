"""The two actions of Duel."""

from __future__ import annotations

from dataclasses import dataclass

from engines.walks import Walk


@dataclass(frozen=True, slots=True)
class Place:
    """Place a button from the supply on an empty space next to an enemy button."""

    button: str
    to: int


Action = Place | Walk
"""A player's action in one turn."""
