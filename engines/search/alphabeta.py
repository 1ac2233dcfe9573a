"""Alpha-beta search with iterative deepening, until the budget is spent.

Values are from the view of the seat that searches; a sooner win has a higher value. Each board whose moves are expanded
counts one against the budget. A transposition table caches results by key.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engines.base import CHANCE, Seat
from engines.budget import BudgetSpent
from engines.judging import DECIDED, WON, Choice, Judge

DEEPEST = 40
"""Maximum depth in plies."""

MOST_REMEMBERED = 150_000
"""Maximum size of the transposition table."""

NOTHING_SETTLED: Mapping[Any, float] = MappingProxyType({})
"""The default of `settled`: no move of the root ends the game."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2
_ANY = 2 * WON


class _Known(NamedTuple):
    """An entry of the transposition table: depth, kind of bound, value and best move."""

    depth: int
    bound: int
    worth: float
    best: Any


class LookAhead:
    """A search for one seat with one budget, on boards without hidden information."""

    def __init__(self, judge: Judge, seat: Seat, budget: int, settled: Mapping[Any, float] = NOTHING_SETTLED) -> None:
        """`settled` maps moves of the root that end the game to their values."""
        self.judge, self.seat, self.left, self.settled = judge, seat, budget, settled
        self.known: dict[Hashable, _Known] = {}

    def deepened(self, board: Any, choices: Sequence[Choice]) -> list[Choice]:
        """Rank the seat's moves, best first, as deep as the budget allows.

        Values below the best one are upper bounds.
        """
        ranked, depth = list(choices), 1
        while depth < DEEPEST and self.left > 0 and abs(ranked[0][0]) < DECIDED and len(ranked) > 1:
            depth += 1
            few = len(ranked) if depth == 2 else self.judge.breadth
            ranked = self._one_deeper(board, ranked[:few], depth) + ranked[few:]
            if ranked[0][0] <= -DECIDED:
                ranked.sort(key=_by_worth)
        return ranked

    def _one_deeper(self, board: Any, ranked: list[Choice], depth: int) -> list[Choice]:
        """Rank the moves at this depth; if the budget ends, unsearched moves keep their order."""
        found: list[Choice] = []
        low = -_ANY
        try:
            for worth, move in ranked:
                if abs(worth) < DECIDED and move not in self.settled:
                    worth = self.worth(self.judge.after(board, move), depth - 1, low, _ANY, 1)
                found.append((worth, move))
                low = max(low, worth)
        except BudgetSpent:
            if not found:
                return ranked
            rest = [(min(worth, low - 1), move) for worth, move in ranked[len(found) :]]
            return sorted(found, key=_by_worth) + rest
        return sorted(found, key=_by_worth)

    def worth(self, board: Any, depth: int, low: float, high: float, ply: int) -> float:
        """Return a board's value to the seat: exact between `low` and `high`, else a bound.

        Raises BudgetSpent.
        """
        mover = self.judge.mover(board)
        if mover == CHANCE:
            lots = self.judge.lots(board)
            return sum(share * self.worth(then, depth, -_ANY, _ANY, ply) for share, then in lots)
        key = self.judge.key(board)
        known = self.known.get(key)
        if known is not None and known.depth >= depth:
            worth = _sooner(known.worth, ply)
            if (
                known.bound == _EXACT
                or (known.bound == _AT_LEAST and worth >= high)
                or (known.bound == _AT_MOST and worth <= low)
            ):
                return worth
        found, best = self._looked_at(board, mover == self.seat, depth, low, high, ply, known)
        bound = _AT_MOST if found <= low else _AT_LEAST if found >= high else _EXACT
        if len(self.known) < MOST_REMEMBERED or known is not None:
            self.known[key] = _Known(depth, bound, _later(found, ply), best)
        return found

    def _looked_at(
        self, board: Any, mine: bool, depth: int, low: float, high: float, ply: int, known: _Known | None
    ) -> tuple[float, Any]:
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1
        choices = self.judge.choices(board)
        if not choices:
            return 0.0, None
        worth, best = choices[0]
        if depth <= 1 or abs(worth) >= DECIDED:
            if worth <= -DECIDED or worth >= DECIDED:
                worth = worth - ply if worth > 0 else worth + ply
            return (worth if mine else -worth), best
        if known is not None and known.best is not None and known.best != best:
            choices = [(worth, known.best), *(choice for choice in choices if choice[1] != known.best)]
        return self._best(board, choices, mine, depth, low, high, ply)

    def _best(
        self, board: Any, choices: Sequence[Choice], mine: bool, depth: int, low: float, high: float, ply: int
    ) -> tuple[float, Any]:
        sign = 1 if mine else -1
        top, best = -_ANY, None
        for worth, move in choices:
            if worth <= -DECIDED:
                found = sign * (worth + ply)
            else:
                found = self.worth(self.judge.after(board, move), depth - 1, low, high, ply + 1)
            if sign * found > top:
                top, best = sign * found, move
                if mine:
                    low = max(low, found)
                else:
                    high = min(high, found)
                if low >= high:
                    break
        return sign * top, best


def _sooner(worth: float, ply: int) -> float:
    """Convert a stored value, relative to its board, to one relative to the root."""
    return worth - ply if worth >= DECIDED else worth + ply if worth <= -DECIDED else worth


def _later(worth: float, ply: int) -> float:
    """Convert a value relative to the root to one relative to the board, for storing."""
    return worth + ply if worth >= DECIDED else worth - ply if worth <= -DECIDED else worth


def _by_worth(choice: Choice) -> float:
    return -choice[0]
