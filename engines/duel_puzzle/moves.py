"""The two kinds of entries of a Puzzle: chance deals, the solver walks."""

from __future__ import annotations

from dataclasses import dataclass

from engines.walks import Walk


@dataclass(frozen=True, slots=True)
class Deal:
    """All sixteen buttons in the order in which they leave the bag: onto a4 b4 c4 d4 a3 … d1."""

    buttons: str


Turn = Deal | Walk
"""What chance, and then the solver, does."""
