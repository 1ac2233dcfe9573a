"""The four goals of the Puzzle (rule sheet: goal; rulings P-c to P-e).

A line is a row read from left to right, or a column read from bottom to top. All matching lines are rows, or all are
columns: a row of one colour crosses every column, so no column can be of the other colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engines.bridges import SIDE
from engines.buttons import BLACK, SETS
from engines.wording import N_

PAR: Mapping[int, int] = MappingProxyType({1: 4, 2: 6, 3: 7, 4: 11})
"""The number of moves in which each goal can be reached from most deals."""

SENTENCES: Mapping[int, str] = MappingProxyType(
    {
        1: N_("a white line and a black line that match"),
        2: N_("a white line and a black line that match and run in sequence"),
        3: N_("two white lines and two black lines that match in pairs"),
        4: N_("two white lines and two black lines that match in pairs, all in sequence"),
    }
)
"""A description of each goal."""

GOALS = tuple(SENTENCES)
"""The numbers of the goals."""

_RISING, _FALLING = SETS[BLACK], SETS[BLACK][::-1]


def is_met(cells: str, goal: int) -> bool:
    """Whether a full board meets the goal."""
    rows = [cells[first : first + SIDE] for first in range(0, len(cells), SIDE)]
    columns = [cells[file::SIDE] for file in range(SIDE)]
    return _is_met_by(rows, goal) or _is_met_by(columns, goal)


def in_sequence(line: str) -> bool:
    """Whether the numbers of a black line rise or fall by one from each button to the next."""
    return line in _RISING or line in _FALLING


def _is_met_by(lines: list[str], goal: int) -> bool:
    """Whether these parallel lines meet the goal; white lines must equal matching black ones."""
    matched = {line for line in lines if line.isupper()}
    if matched:
        matched &= {line.upper() for line in lines if line.islower()}
    if goal in (2, 4):
        matched = {line for line in matched if in_sequence(line)}
    return len(matched) >= (1 if goal in (1, 2) else 2)
