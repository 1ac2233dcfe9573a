"""Rate the luck of random draws: the outcome's value against the mean of all outcomes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engines import game_known
from engines.base import CHANCE, Position
from engines.judging import Judge
from engines.search.judgement import values_to_depth

MOST_LOTS = 12
"""Maximum number of possible outcomes for which a draw is rated."""

_FIRST = 0


@dataclass(frozen=True, slots=True)
class Fortune:
    """Expected result of the first seat: the mean before the draw, and the value after it.

    0 is a loss, 1 a win. All outcomes are searched to the same depth, so the difference is due to chance alone.
    """

    expected: float
    came: float


def judge_fortune(game_key: str, position: Position[Any], text: str, budget: int, rng: random.Random) -> Fortune | None:
    """Rate the draw `text` in a position with chance to act, within a budget of positions.

    None if it cannot be rated: without a judge, with hidden information, at stages that are not searched, or if
    outcomes are too many or not equally likely. Raises UnknownGame or MoveError.
    """
    game = game_known(game_key)
    judge = game.judge
    drawn = position.read(CHANCE, text)
    lots = list(islice(position.legal_moves(CHANCE), MOST_LOTS + 1))
    if judge is None or len(game.seats) < 2 or not 1 < len(lots) <= MOST_LOTS:
        return None
    thens = [position.after(CHANCE, lot) for lot in lots]
    if not all(_is_open(judge, then, rng) for then in thens) or not _are_even(judge, position, len(lots)):
        return None
    values = values_to_depth(judge, thens, _FIRST, budget)
    if not values:
        return None
    return Fortune(round(sum(values) / len(values), 3), round(values[lots.index(drawn)], 3))


def _is_open(judge: Judge, then: Position[Any], rng: random.Random) -> bool:
    """Whether a position is over, or fully public and searchable."""
    if then.outcome is not None:
        return True
    seen = then.view(None)
    if len(seen.to_act) != 1 or seen.to_act[0] == CHANCE or seen.imagine(None, rng) != seen:
        return False
    return judge.unsearched(seen, seen.to_act[0], rng) is None


def _are_even(judge: Judge, position: Position[Any], count: int) -> bool:
    """Whether all outcomes are equally likely, according to the judge."""
    lots = judge.lots(judge.board(position))
    return len(lots) == count and all(abs(share - 1 / count) < 1e-9 for share, _board in lots)
