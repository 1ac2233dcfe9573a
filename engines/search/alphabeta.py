"""Looking ahead on one board: deeper and deeper with alpha-beta, until the budget is spent.

Worths are those of the seat that chooses (the root's); a win is worth more the sooner it comes. Every board whose
moves are looked at counts one against the budget. What was found of a board is remembered by its key.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engines.base import CHANCE, Seat
from engines.budget import BudgetSpent
from engines.judging import DECIDED, WON, Choice, Judge

DEEPEST = 40
"""So many moves ahead at most."""

MOST_REMEMBERED = 150_000
"""So many boards are remembered at most, which bounds the memory."""

NOTHING_SETTLED: Mapping[Any, float] = MappingProxyType({})
"""Where no move of the first board ends the game."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2
_ANY = 2 * WON


class _Known(NamedTuple):
    """What was found of a board: how deep it was looked at, what the worth says, and the best move."""

    depth: int
    bound: int
    worth: float
    best: Any


class LookAhead:
    """A search with one budget, for one seat, on boards that know everything."""

    def __init__(self, judge: Judge, seat: Seat, budget: int, settled: Mapping[Any, float] = NOTHING_SETTLED) -> None:
        """`settled` are moves of the first board that end the game, with what they are worth."""
        self.judge, self.seat, self.left, self.settled = judge, seat, budget, settled
        self.known: dict[Hashable, _Known] = {}

    def deepened(self, board: Any, choices: Sequence[Choice]) -> list[Choice]:
        """These moves of the seat, best first, looked ahead as far as the budget goes; worths below the best's are
        upper bounds."""
        ranked, depth = list(choices), 1
        while depth < DEEPEST and self.left > 0 and abs(ranked[0][0]) < DECIDED and len(ranked) > 1:
            depth += 1
            few = len(ranked) if depth == 2 else self.judge.breadth
            ranked = self._one_deeper(board, ranked[:few], depth) + ranked[few:]
            if ranked[0][0] <= -DECIDED:
                ranked.sort(key=_by_worth)
        return ranked

    def _one_deeper(self, board: Any, ranked: list[Choice], depth: int) -> list[Choice]:
        """The moves ranked at this depth; where the budget ends, those not looked at keep their order."""
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
        """What a board is worth to the seat, exactly between `low` and `high`; else a bound. Raises BudgetSpent."""
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
    """A remembered worth, counted from the root."""
    return worth - ply if worth >= DECIDED else worth + ply if worth <= -DECIDED else worth


def _later(worth: float, ply: int) -> float:
    """A worth to be remembered, counted from the board itself."""
    return worth + ply if worth >= DECIDED else worth - ply if worth <= -DECIDED else worth


def _by_worth(choice: Choice) -> float:
    return -choice[0]
