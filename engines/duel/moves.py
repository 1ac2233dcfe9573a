"""The two actions of Duel."""

from __future__ import annotations

from dataclasses import dataclass

from engines.slots import filled_directly
from engines.walks import Walk


@filled_directly
@dataclass(frozen=True, slots=True)
class Place:
    """A button of the supply is laid on an empty space next to an enemy button."""

    button: str
    to: int


Action = Place | Walk
"""What a player does in his turn."""
