"""Heuristic evaluation for robots: the optional `Judge` of a game, on a fast board.

A robot plays every game by the contract alone (`engines.search`). A game that brings a `Judge` in `Game.judge` is
played by look-ahead with an evaluation instead of random playouts, which is far stronger.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

WON = 1_000_000.0
"""The value of a forced win; `-WON` is a forced loss. All other values lie well between."""

DECIDED = WON / 2
"""A value of at least this size, for either side, means that the game is decided."""

LEVELS = 5
"""The number of strength levels of robots."""

Choice = tuple[float, Any]
"""A pair of value and move: the value of the resulting position to the mover, and the move."""


class Judge(ABC):
    """Searches a game ahead: boards, their moves with a first estimate, and the results.

    A board is any value the game chooses; it has no secrets, because hidden facts were imagined
    before. A board whose `mover` is CHANCE has `lots` instead of `choices`. All answers of a judge depend on
    the board alone, so that equal boards are played alike.
    """

    budgets: ClassVar[tuple[int, ...]] = (1, 60, 120, 600, 5_000)
    """The boards that each level may search, weakest first: exactly LEVELS numbers."""

    breadth: ClassVar[int] = 1_000
    """The number of best moves that are searched more than two plies deep."""

    scale: ClassVar[float] = 10.0
    """The value of a practically won game; it weights imagined positions against one another."""

    @abstractmethod
    def board(self, position: Any) -> Any:
        """Return the board of a fully known position in which a seat is to act."""

    @abstractmethod
    def mover(self, board: Any) -> int:
        """The seat that is to act."""

    @abstractmethod
    def choices(self, board: Any) -> Sequence[Choice]:
        """Return the moves worth searching, most promising first, each with its value to the mover.

        Empty if the game ended in a draw; one of value `-WON` if it is already lost. Of moves that win at
        once it holds at least one, with the value `WON`. Rare rules, such as those on repetition,
        may be left out: the engine checks the moves that are really made.
        """

    @abstractmethod
    def after(self, board: Any, move: Any) -> Any:
        """The board after a move."""

    @abstractmethod
    def move(self, board: Any, move: Any) -> Any:
        """Convert a board move to a move of the game, independently of the imagined hidden facts."""

    def all_choices(self, board: Any) -> Sequence[Choice]:
        """Return every move, where `choices` gives only the best; used at the root of the search."""
        return self.choices(board)

    def unsearched(self, seen: Any, seat: int, rng: random.Random) -> Any | None:
        """Return a move that needs no search, such as a sealed choice; None to search."""
        return None

    def key(self, board: Any) -> Hashable:
        """The transposition key: boards with equal keys have equal futures."""
        key: Hashable = board
        return key

    def lots(self, board: Any) -> Sequence[tuple[float, Any]]:
        """Return each outcome of chance with its probability and the resulting board."""
        raise NotImplementedError


class PositionJudge(Judge):
    """A judge that uses the position as its board; a game only supplies `value`."""

    @abstractmethod
    def value(self, position: Any, seat: int) -> float:
        """Evaluate an unfinished position for `seat`; 0 if both sides stand equal."""

    def board(self, position: Any) -> Any:
        """The position."""
        return position

    def mover(self, board: Any) -> int:
        """The first seat to act."""
        return int(board.to_act[0])

    def choices(self, board: Any) -> Sequence[Choice]:
        """Every legal move, the most promising first."""
        seat = self.mover(board)
        found = [(self.worth(board.after(seat, move), seat), move) for move in board.legal_moves(seat)]
        return sorted(found, key=_by_worth)

    def after(self, board: Any, move: Any) -> Any:
        """The next position."""
        return board.after(self.mover(board), move)

    def move(self, board: Any, move: Any) -> Any:
        """The move."""
        return move

    def lots(self, board: Any) -> Sequence[tuple[float, Any]]:
        """Every legal move of chance, equally likely."""
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
