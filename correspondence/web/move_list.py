"""The moves of a match in numbered rows with a column for each seat, as in printed games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from correspondence.queries.view_models import MoveLine
from correspondence.render.move_numbers import row_numbers
from engines.base import CHANCE


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its number, 0 for chance entries before the first move, and the entries of each seat."""

    number: int
    cells: tuple[tuple[MoveLine, ...], ...]


def rows(lines: Iterable[MoveLine], seats: int) -> tuple[Row, ...]:
    """Arrange entries in rows: each seat moves once in a row; a chance entry stands beside the move it follows."""
    listed = list(lines)
    numbers = row_numbers(line.seat for line in listed)
    grid: list[list[list[MoveLine]]] = [[[] for _seat in range(seats)] for _row in range(max(numbers, default=0) + 1)]
    column = 0
    for number, line in zip(numbers, listed, strict=True):
        column = column if line.seat == CHANCE else line.seat
        grid[number][column].append(line)
    numbered = [Row(number, tuple(tuple(cell) for cell in row)) for number, row in enumerate(grid)]
    return tuple(row for row in numbered if row.number or any(row.cells))
