"""The two kinds of moves of the Puzzle: a deal by chance, and a walk by the solver."""

from __future__ import annotations

from dataclasses import dataclass

from engines.walks import Walk


@dataclass(frozen=True, slots=True)
class Deal:
    """All sixteen buttons in drawing order, placed on a4 b4 c4 d4 a3 … d1."""

    buttons: str


Turn = Deal | Walk
"""A deal by chance or a walk by the solver."""
