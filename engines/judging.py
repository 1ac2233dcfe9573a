"""Heuristic evaluation for robots: the optional `Judge` of a game, on a fast board.

Robots can play every game through `Position` alone (`engines.search`). If `Game.judge` is set, they search ahead with
its evaluation instead of using random playouts, which makes them far stronger.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

WON = 1_000_000.0
"""The value of a forced win; `-WON` is a forced loss. All other values are much smaller."""

DECIDED = WON / 2
"""The absolute value from which the game counts as decided."""

LEVELS = 5
"""The number of strength levels of robots."""

Choice = tuple[float, Any]
"""A pair of value and move: the value of the resulting position to the mover, and the move."""


class Judge(ABC):
    """Evaluation and move generation of a game for search: boards, moves and results.

    A board is any value that the game chooses. It has no hidden information, because that was imagined before. A board
    whose `mover` is CHANCE has `lots` instead of `choices`. All results depend only on the board, so equal boards are
    played alike.
    """

    budgets: ClassVar[tuple[int, ...]] = (1, 60, 120, 600, 5_000)
    """The number of boards that each level may search, weakest first; it has LEVELS entries."""

    breadth: ClassVar[int] = 1_000
    """The number of best moves that are searched more than two plies deep."""

    scale: ClassVar[float] = 10.0
    """The value of a practically won game; it scales values for means over imagined positions."""

    @abstractmethod
    def board(self, position: Any) -> Any:
        """Convert a position without hidden information to a board; a seat is to act."""

    @abstractmethod
    def mover(self, board: Any) -> int:
        """Return the seat to act."""

    @abstractmethod
    def choices(self, board: Any) -> Sequence[Choice]:
        """Return the moves worth searching, most promising first, each with its value to the mover.

        Empty if the game ended in a draw; a single choice of value `-WON` if it is lost. If some moves win at once, at
        least one of them is included, with the value `WON`. Rare rules, such as those on repetition, may be ignored:
        the engine checks the moves actually made.
        """

    @abstractmethod
    def after(self, board: Any, move: Any) -> Any:
        """Return the board after a move."""

    @abstractmethod
    def move(self, board: Any, move: Any) -> Any:
        """Convert a board move to a move of the game, independently of imagined hidden information."""

    def all_choices(self, board: Any) -> Sequence[Choice]:
        """Return every move, even if `choices` returns only the best; used at the search's root."""
        return self.choices(board)

    def unsearched(self, seen: Any, seat: int, rng: random.Random) -> Any | None:
        """Return a move that needs no search, such as a sealed choice; None to search."""
        return None

    def key(self, board: Any) -> Hashable:
        """Return the transposition table's key: boards with equal keys have equal futures."""
        key: Hashable = board
        return key

    def lots(self, board: Any) -> Sequence[tuple[float, Any]]:
        """Return each outcome of chance with its probability and the resulting board."""
        raise NotImplementedError


class PositionJudge(Judge):
    """A judge whose board is the position itself; a game only implements `value`."""

    @abstractmethod
    def value(self, position: Any, seat: int) -> float:
        """Evaluate an unfinished position for `seat`; 0 if both sides are equal."""

    def board(self, position: Any) -> Any:
        """Return the position."""
        return position

    def mover(self, board: Any) -> int:
        """Return the first seat to act."""
        return int(board.to_act[0])

    def choices(self, board: Any) -> Sequence[Choice]:
        """Return every legal move, the most promising first."""
        seat = self.mover(board)
        found = [(self.worth(board.after(seat, move), seat), move) for move in board.legal_moves(seat)]
        return sorted(found, key=_by_worth)

    def after(self, board: Any, move: Any) -> Any:
        """Return the next position."""
        return board.after(self.mover(board), move)

    def move(self, board: Any, move: Any) -> Any:
        """Return the move unchanged."""
        return move

    def lots(self, board: Any) -> Sequence[tuple[float, Any]]:
        """Return every legal move of chance, equally likely."""
        moves = list(board.legal_moves(-1))
        return [(1 / len(moves), board.after(-1, move)) for move in moves]

    def worth(self, position: Any, seat: int) -> float:
        """Evaluate a position for `seat`; by its outcome if it is over."""
        if position.outcome is None:
            return self.value(position, seat)
        winners = position.outcome.winners
        return 0.0 if not winners else WON if seat in winners else -WON


def _by_worth(choice: Choice) -> float:
    return -choice[0]
