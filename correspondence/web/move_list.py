"""The moves of a match in numbered rows with a column for each seat, as in printed games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from correspondence.queries.view_models import GameView, MoveLine
from correspondence.render.move_numbers import row_numbers
from engines.base import CHANCE


class ListedMove(NamedTuple):
    """An entry as the list tells it: its number and text, whether chance made it, whether it is new to the reader, whether
    it is the one that is shown, and whether something was said with it."""

    ply: int
    text: str
    is_lot: bool
    is_new: bool
    is_shown: bool
    has_words: bool


class Row(NamedTuple):
    """A row: its number, 0 for chance entries before the first move, and the entries of each seat."""

    number: int
    cells: tuple[tuple[ListedMove, ...], ...]


def rows_of(seen: GameView) -> tuple[Row, ...]:
    """The list of moves of a page."""
    return rows(seen.lines, len(seen.card.players), {line.ply for line in seen.unseen_lines}, seen.ply)


def rows(lines: Iterable[MoveLine], seats: int, new: Iterable[int] = (), shown: int = 0) -> tuple[Row, ...]:
    """Arrange entries in rows: each seat moves once in a row; a chance entry stands beside the move it follows.

    `new` are the numbers of entries that the reader has not seen, `shown` is that of the one at which the board stands.
    """
    moves, unseen = list(lines), frozenset(new)
    numbers = row_numbers([one.seat for one in moves])
    grid: list[list[list[ListedMove]]] = [[[] for _seat in range(seats)] for _row in range(max(numbers, default=0) + 1)]
    column = 0
    for number, line in zip(numbers, moves, strict=True):
        column = column if line.seat == CHANCE else line.seat
        grid[number][column].append(
            ListedMove(
                line.ply, line.text, line.seat == CHANCE, line.ply in unseen, line.ply == shown, line.comment != ""
            )
        )
    numbered = [Row(number, tuple(tuple(cell) for cell in row)) for number, row in enumerate(grid)]
    return tuple(row for row in numbered if row.number or any(row.cells))
