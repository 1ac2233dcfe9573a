"""Search with hidden information, over many randomly imagined positions.

All moves are searched shallowly in some positions, then the better ones more deeply in others, and so on. A move's
value is its mean winning chance over the positions searched.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import Any

from engines.base import Seat
from engines.budget import BudgetSpent
from engines.judging import Judge
from engines.search.alphabeta import LookAhead

FIRST_WORLDS = 6
"""Number of imagined positions in which all moves are compared by static evaluation."""

ROUNDS = ((2, 16, 6), (3, 6, 6), (3, 4, 12), (4, 3, 12))
"""Rounds of (depth, moves kept, imagined positions), as long as the budget lasts."""

_TWO_ANY = 4_000_000.0


def best_over_worlds(judge: Judge, seen: Any, seat: Seat, budget: int, rng: random.Random) -> Any:
    """Return the game's move with the best mean value; `seen` is the seat's view."""
    ranked, board = ranked_over_worlds(judge, seen, seat, budget, rng)
    return judge.move(board, ranked[0])


def ranked_over_worlds(judge: Judge, seen: Any, seat: Seat, budget: int, rng: random.Random) -> tuple[list[Any], Any]:
    """Return the most deeply searched moves, best first, and a board for converting them."""
    ranked, board = _at_first_sight(judge, seen, seat, min(FIRST_WORLDS, budget), rng)
    left = budget - FIRST_WORLDS
    for depth, count, worlds in ROUNDS:
        if left <= 0 or len(ranked) == 1:
            break
        ranked, left = _round(judge, seen, seat, ranked[:count], depth, worlds, left, rng)
    return ranked, board


def _at_first_sight(judge: Judge, seen: Any, seat: Seat, worlds: int, rng: random.Random) -> tuple[list[Any], Any]:
    """Return all moves by static value, best first, and a board for converting them."""
    sums: defaultdict[Any, float] = defaultdict(float)
    for _world in range(max(worlds, 1)):
        board = judge.board(seen.imagine(seat, rng))
        for worth, move in judge.all_choices(board):
            sums[move] += _chance(judge, worth)
    moves = list(sums)
    rng.shuffle(moves)
    return sorted(moves, key=lambda move: -sums[move]), board


def _round(
    judge: Judge, seen: Any, seat: Seat, moves: list[Any], depth: int, worlds: int, budget: int, rng: random.Random
) -> tuple[list[Any], int]:
    """Rank the moves by a search of this depth; return them with the remaining budget.

    Only positions in which all moves could be searched count; if there is none, the order stays.
    """
    sums = dict.fromkeys(moves, 0.0)
    for _world in range(worlds):
        board = judge.board(seen.imagine(seat, rng))
        ahead = LookAhead(judge, seat, budget)
        first = {move: worth for worth, move in judge.all_choices(board)}
        try:
            found = [_looked(judge, ahead, board, move, first[move], depth) for move in moves]
        except BudgetSpent:
            return _ranked(sums), 0
        budget = ahead.left
        for move, worth in zip(moves, found, strict=True):
            sums[move] += _chance(judge, worth)
    return _ranked(sums), budget


def _looked(judge: Judge, ahead: LookAhead, board: Any, move: Any, worth: float, depth: int) -> float:
    if abs(_chance(judge, worth)) >= 1.0:
        return worth
    return ahead.worth(judge.after(board, move), depth - 1, -_TWO_ANY, _TWO_ANY, 1)


def _ranked(sums: dict[Any, float]) -> list[Any]:
    return sorted(sums, key=lambda move: -sums[move])


def _chance(judge: Judge, worth: float) -> float:
    """Convert a value to the range from -1 (lost) to 1 (won)."""
    return math.tanh(worth / judge.scale)
