"""What a game may bring for its robot: how promising a position is, and a faster board to look ahead on.

A robot plays every game by the contract alone (`engines.search`). A game that brings a `Judge` in `Game.judge` is
played by looking ahead with an evaluation instead of playing on by lot, which is stronger by far.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

WON = 1_000_000.0
"""The worth of a choice that wins at once, or by force; `-WON` loses. All other worths lie well between."""

DECIDED = WON / 2
"""From this worth on, either way, the game is decided."""

LEVELS = 5
"""How many levels of strength robots have."""

Choice = tuple[float, Any]
"""A move of a board, and before it what the position after it is worth to whoever makes it."""


class Judge(ABC):
    """How a game is looked ahead: boards, their moves with a first estimate, and what follows.

    A board is whatever value the game likes; it knows everything that lies on it, because secrets were imagined
    before. A board whose `mover` is CHANCE has `lots` instead of `choices`. Whatever a judge answers depends on
    the board alone, so that equal boards are played alike.
    """

    budgets: ClassVar[tuple[int, ...]] = (1, 60, 120, 600, 5_000)
    """How many boards each level may look at, weakest first: exactly LEVELS numbers."""

    breadth: ClassVar[int] = 1_000
    """So many of the moves in question are looked at more than two moves ahead."""

    scale: ClassVar[float] = 10.0
    """The worth that makes a game as good as won by a careful player; it weighs imagined positions together."""

    @abstractmethod
    def board(self, position: Any) -> Any:
        """The board of a position that is known in full and in which somebody is to act."""

    @abstractmethod
    def mover(self, board: Any) -> int:
        """The seat that is to act."""

    @abstractmethod
    def choices(self, board: Any) -> Sequence[Choice]:
        """The moves worth looking at, the most promising first, each with its worth to the mover.

        Empty where the game has ended in a draw; one of worth `-WON` where it is already lost. Of moves that win at
        once there is at least one among them, with the worth `WON`. Seldom-seen rules, such as those on repetition,
        may be left out: the moves made in earnest are checked by the engine.
        """

    @abstractmethod
    def after(self, board: Any, move: Any) -> Any:
        """The board after a move."""

    @abstractmethod
    def move(self, board: Any, move: Any) -> Any:
        """A move of the board as a move of the game; own moves are told alike, whatever was imagined."""

    def all_choices(self, board: Any) -> Sequence[Choice]:
        """Every move, as `choices` gives the best of them; asked for the position in which a move is chosen."""
        return self.choices(board)

    def unsearched(self, seen: Any, seat: int, rng: random.Random) -> Any | None:
        """A move that is chosen without looking ahead, such as a sealed choice; None where one looks ahead."""
        return None

    def key(self, board: Any) -> Hashable:
        """What tells boards apart; equal keys have equal futures."""
        key: Hashable = board
        return key

    def lots(self, board: Any) -> Sequence[tuple[float, Any]]:
        """What chance may bring, each with its probability, and the board then."""
        raise NotImplementedError


class PositionJudge(Judge):
    """A judge for whom the position itself is the board: a game need only say what a position is worth."""

    @abstractmethod
    def value(self, position: Any, seat: int) -> float:
        """What a position that is not over is worth to `seat`; 0 where both stand alike."""

    def board(self, position: Any) -> Any:
        """The position."""
        return position

    def mover(self, board: Any) -> int:
        """The first of those who are to act."""
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
        """What a position is worth to `seat`, its outcome if it is over."""
        if position.outcome is None:
            return self.value(position, seat)
        winners = position.outcome.winners
        return 0.0 if not winners else WON if seat in winners else -WON


def _by_worth(choice: Choice) -> float:
    return -choice[0]
