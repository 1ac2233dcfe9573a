"""The numbers of moves as printed games have them: each seat moves once in a row."""

from __future__ import annotations

from collections.abc import Iterable

from engines.base import CHANCE, Seat


def row_numbers(seats: Iterable[Seat]) -> tuple[int, ...]:
    """The number of the row in which each entry stands; chance stands with the move that it follows, 0 before the first."""
    numbers: list[int] = []
    row, mover = 0, CHANCE
    for seat in seats:
        if seat != CHANCE:
            if not row or seat <= mover:
                row += 1
            mover = seat
        numbers.append(row)
    return tuple(numbers)
