"""The moves of a match in numbered rows with a column for each seat, as in printed games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from correspondence.queries.view_models import GameView, MoveLine
from correspondence.render.move_numbers import row_numbers
from engines.base import CHANCE


class ListedMove(NamedTuple):
    """An entry of the move list.

    `is_lot` marks an entry of chance, `is_new` one that the reader has not seen, `is_shown` the one on the board, and
    `has_words` one with a comment.
    """

    ply: int
    text: str
    is_lot: bool
    is_new: bool
    is_shown: bool
    has_words: bool


class Row(NamedTuple):
    """A row: its number, and the entries of each seat.

    Number 0 is for chance entries before the first move.
    """

    number: int
    cells: tuple[tuple[ListedMove, ...], ...]


def rows_of(seen: GameView) -> tuple[Row, ...]:
    """The rows of the move list on a game's page."""
    return rows(seen.lines, len(seen.card.players), {line.ply for line in seen.unseen_lines}, seen.ply)


def rows(lines: Iterable[MoveLine], seats: int, new: Iterable[int] = (), shown: int = 0) -> tuple[Row, ...]:
    """Arrange entries in rows with one move of each seat.

    A chance entry stands beside the move it follows. `new` contains the numbers of unseen entries; `shown` is the
    number of the entry on the board.
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
