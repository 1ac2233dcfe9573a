"""The moves of a match in numbered rows, a column for each seat, as games are printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from correspondence.queries.view_models import MoveLine
from engines.base import CHANCE


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its number, 0 for what came before the first move, and the entries of each seat in it."""

    number: int
    cells: tuple[tuple[MoveLine, ...], ...]


def rows(lines: Iterable[MoveLine], seats: int) -> tuple[Row, ...]:
    """The entries in rows: lots stand with the move that they follow, a seat moves once in a row."""
    made: list[list[list[MoveLine]]] = [[[] for _seat in range(seats)]]
    column = 0
    for line in lines:
        is_lot = line.seat == CHANCE
        if not is_lot and (line.seat < column or made[-1][line.seat] or len(made) == 1):
            made.append([[] for _seat in range(seats)])
        column = column if is_lot else line.seat
        made[-1][column].append(line)
    listed = [Row(number, tuple(tuple(cell) for cell in row)) for number, row in enumerate(made)]
    return tuple(row for row in listed if row.number or any(row.cells))
