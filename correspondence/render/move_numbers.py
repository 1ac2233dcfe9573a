"""Move numbers as in printed games: each seat moves once per row."""

from __future__ import annotations

from collections.abc import Iterable

from engines.base import CHANCE, Seat


def row_numbers(seats: Iterable[Seat]) -> tuple[int, ...]:
    """Return the row number of each entry; chance belongs to the move before it, else to row 0."""
    numbers: list[int] = []
    row, mover = 0, CHANCE
    for seat in seats:
        if seat != CHANCE:
            if not row or seat <= mover:
                row += 1
            mover = seat
        numbers.append(row)
    return tuple(numbers)
