"""The moves of a match in rows with a column for each seat; each has the number of its position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from correspondence.queries.view_models import GameView, MoveLine
from engines.base import CHANCE


class ListedMove(NamedTuple):
    """An entry of the move list.

    `is_lot` marks an entry of chance, `is_new` one that the reader has not seen, `is_shown` the one on the board,
    `has_words` one with a comment, and `is_turning` a turning point of the second opinion.
    """

    ply: int
    text: str
    is_lot: bool
    is_new: bool
    is_shown: bool
    has_words: bool
    is_turning: bool


Row = tuple[tuple[ListedMove, ...], ...]
"""A row: the entries of each seat."""


def rows_of(seen: GameView, turning: Iterable[int] = ()) -> tuple[Row, ...]:
    """The rows of the move list on a game's page; `turning` are the numbers of turning points."""
    new = frozenset(line.ply for line in seen.unseen_lines)
    return rows(seen.lines, len(seen.card.players), new, seen.ply, frozenset(turning))


def rows(
    lines: Iterable[MoveLine],
    seats: int,
    new: frozenset[int] = frozenset(),
    shown: int = 0,
    turning: frozenset[int] = frozenset(),
) -> tuple[Row, ...]:
    """Arrange entries in rows with one move of each seat.

    A chance entry stands beside the move it follows. `new` and `turning` contain numbers of entries; `shown` is the
    number of the entry on the board.
    """
    grid: list[list[list[ListedMove]]] = []
    column, mover = 0, seats
    for line in lines:
        if line.seat != CHANCE:
            if line.seat <= mover:
                grid.append([[] for _seat in range(seats)])
            column = mover = line.seat
        elif not grid:
            grid.append([[] for _seat in range(seats)])
        grid[-1][column].append(
            ListedMove(
                line.ply, line.text, line.seat == CHANCE, line.ply in new, line.ply == shown, line.comment != "",
                line.ply in turning,
            )
        )  # fmt: skip
    return tuple(tuple(tuple(cell) for cell in row) for row in grid)
