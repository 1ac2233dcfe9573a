"""Rate a played move: its value, the best move, and the value of that.

A judgement uses only what the mover could see. With hidden information, both moves are compared in the same imagined
positions; otherwise both are searched to the same depth. Later chance events are averaged, so bad luck never counts as
a bad move.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engines import game_known
from engines.base import Game, Outcome, Position, Seat
from engines.budget import BudgetSpent
from engines.judging import DECIDED, WON, Judge
from engines.search.alphabeta import DEEPEST, LookAhead
from engines.search.choosing import first_choices, must_be_to_act
from engines.search.levels import levels_of
from engines.search.worlds import ranked_over_worlds

WORLDS = 24
"""Number of imagined positions in which two moves are compared."""

AHEAD = 2
"""Search depth in imagined positions, after the move itself."""

_ANY = 4 * WON


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rating of a move for the seat that made it.

    `expected` and `played` are expected results of the mover, from 0 (loss) to 1 (win); a draw is 0.5. `expected` is
    the result of the `best` move, in canonical notation; `played` is that of the move made, and never higher. The other
    seat's expectation is the complement to 1.
    """

    best: str
    expected: float
    played: float


def judge_move(
    game_key: str, position: Position[Any], seat: Seat, text: str, budget: int, rng: random.Random
) -> Judgement | None:
    """Rate the move `text` of `seat` in the position in which it was made.

    `position` may be the full position or the seat's view, with the same result. The same seed gives the same result.
    About `budget` positions are searched. None if no rating is possible: in solitaire games, without a judge, and for
    choices that are not searched, such as sealed ones. Raises UnknownGame, or MoveError if the move is illegal.
    """
    game = game_known(game_key)
    must_be_to_act(game, position, seat)
    seen = position.view(seat)
    move = seen.read(seat, text)
    judge = _judge_of(game, seen, seat, rng)
    if judge is None:
        return None
    best, worths = _looked_ahead(judge, seen, seat, move, budget, rng)
    if worths[1] >= worths[0]:
        best, worths = move, [worths[1], worths[1]]
    return Judgement(seen.write(seat, best), *(round(worth, 3) for worth in worths))


def worths_of(
    game_key: str, position: Position[Any], seat: Seat, moves: Sequence[Any], budget: int, rng: random.Random
) -> list[float]:
    """Return the expected result of each legal move to the seat, searched equally deep.

    `position`, `budget` and `rng` are as in `judge_move`; 0.5 for each move if no rating is possible.
    """
    seen = position.view(seat)
    judge = _judge_of(game_known(game_key), seen, seat, rng)
    if judge is None:
        return [0.5] * len(moves)
    if seen.imagine(seat, rng) != seen:
        return _over_worlds(judge, seen, seat, moves, budget, rng)
    return _to_depth(judge, seen, seat, moves, budget)


def _judge_of(game: Game, seen: Position[Any], seat: Seat, rng: random.Random) -> Judge | None:
    """Return the judge for the seat's choice here, or None."""
    judge = game.judge
    if len(game.seats) < 2 or len(seen.to_act) > 1 or judge is None:
        return None
    return judge if judge.unsearched(seen, seat, rng) is None else None


def budget_of(game: Game) -> int:
    """Return the search budget for rating one move."""
    return levels_of(game)[-1].budget


def _looked_ahead(
    judge: Judge, seen: Position[Any], seat: Seat, move: Any, budget: int, rng: random.Random
) -> tuple[Any, list[float]]:
    """Find the best move with half of the budget, then evaluate it and the rated move."""
    if seen.imagine(seat, rng) != seen:
        ranked, board = ranked_over_worlds(judge, seen, seat, budget // 2, rng)
        best = judge.move(board, ranked[0])
        return best, _over_worlds(judge, seen, seat, [best, move], budget - budget // 2, rng)
    board, choices, settled = first_choices(judge, seen, seat, rng)
    if not choices:
        return move, _to_depth(judge, seen, seat, [move, move], budget)
    ahead = LookAhead(judge, seat, budget // 2, settled)
    best = judge.move(board, ahead.deepened(board, choices)[0][1])
    return best, _to_depth(judge, seen, seat, [best, move], budget - budget // 2)


def _to_depth(judge: Judge, known: Position[Any], seat: Seat, moves: Sequence[Any], budget: int) -> list[float]:
    """Evaluate each move to the same depth, as deep as the budget allows."""
    means = values_to_depth(judge, [known.after(seat, move) for move in moves], seat, budget)
    return means or [0.5] * len(moves)


def values_to_depth(judge: Judge, thens: Sequence[Position[Any]], seat: Seat, budget: int) -> list[float]:
    """Evaluate each position for the seat to the same depth, as deep as the budget allows.

    The value is the mean of the last two depths, because evaluations favour the side that has just moved. Empty if the
    budget is too small.
    """
    ahead, found = LookAhead(judge, seat, budget), []
    try:
        for depth in range(1, DEEPEST):
            found.append([worth_of(ahead, then, depth) for then in thens])
            if all(abs(worth) >= DECIDED for worth in found[-1]):
                break
    except BudgetSpent:
        pass
    return [_mean([expected_result(judge, worth) for worth in worths]) for worths in zip(*found[-2:], strict=True)]


def _over_worlds(
    judge: Judge, seen: Position[Any], seat: Seat, moves: Sequence[Any], budget: int, rng: random.Random
) -> list[float]:
    """Return the mean value of each move over the same imagined positions.

    Their number depends on the budget.
    """
    found: list[list[float]] = []
    for depth in (AHEAD, 1):
        ahead = LookAhead(judge, seat, budget)
        try:
            for _world in range(WORLDS):
                imagined = seen.imagine(seat, rng)
                thens = [imagined.after(seat, move) for move in moves]
                ahead.known.clear()
                found.append([expected_result(judge, worth_of(ahead, then, depth)) for then in thens])
        except BudgetSpent:
            pass
        if found:
            break
    return [_mean(worths) for worths in zip(*found, strict=True)] or [0.5] * len(moves)


def worth_of(ahead: LookAhead, then: Position[Any], depth: int) -> float:
    """Evaluate a position for the searching seat, by its outcome if over. Raises BudgetSpent."""
    if then.outcome is not None:
        return _settled(then.outcome, ahead.seat)
    return ahead.worth(ahead.judge.board(then), depth, -_ANY, _ANY, 1)


def _settled(outcome: Outcome, seat: Seat) -> float:
    return 0.0 if not outcome.winners else WON if seat in outcome.winners else -WON


def expected_result(judge: Judge, worth: float) -> float:
    """Convert a value to an expected result from 0 to 1."""
    return (1 + math.tanh(worth / judge.scale)) / 2


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
