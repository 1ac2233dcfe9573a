"""Choosing a move that teaches: one that shows the learner something new, among moves that give nothing away."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from engines import game_known
from engines.base import Position, Seat
from engines.search.choosing import choose
from engines.search.judgement import judge_move
from engines.teaching import Lessons

LOOKED_AT = 2_000
"""So many legal moves are drawn from."""

DRAWN = 24
"""Of so many moves it is looked what they would show."""

COMPARED = 5
"""So many of them are judged."""

BUDGET = 160
"""So many positions are looked at for a judgement."""

GIVEN_AWAY = 0.1
"""So much less than the best of the judged moves, as an expected result, a move may be worth."""


def choose_to_show(
    game_key: str, position: Position[Any], seat: Seat, level: int, known: Collection[str], rng: random.Random
) -> Any:
    """A move of a robot that teaches: it shows a lesson whose key is not `known`, if a good one does.

    Such a robot does not end the game where it can go on. Where the game has no lessons, or nothing can be shown, this
    is `choose`, and it raises what that raises.
    """
    usual = choose(game_key, position, seat, level, rng)
    lessons = game_known(game_key).presentation.lessons
    if lessons is None:
        return usual
    seen = position.view(seat)
    imagined = seen.imagine(seat, rng)
    legal = list(islice(imagined.legal_moves(seat), LOOKED_AT))
    drawn = [usual, *rng.sample(legal, min(DRAWN, len(legal)))]
    going_on = [move for move in dict.fromkeys(drawn) if imagined.after(seat, move).outcome is None]
    shown = [move for move in going_on if _shows(lessons, imagined, seat, move, known)]
    compared = list(dict.fromkeys([*going_on[:1], *_various(lessons, imagined, seat, shown, known)]))[:COMPARED]
    worths = {move: _worth(game_key, seen, seat, move, rng) for move in compared}
    good = [move for move in compared if worths[move] >= max(worths.values()) - GIVEN_AWAY]
    return next((move for move in good if move in shown), good[0] if good else usual)


def _shows(lessons: Lessons, imagined: Position[Any], seat: Seat, move: Any, known: Collection[str]) -> str:
    """The key of the new lesson that a move shows by itself; empty where it shows none."""
    after, learner = imagined.after(seat, move), 1 - seat
    text = imagined.tell(seat, move, learner, after)
    found = lessons.shown(imagined.view(learner), text, after.view(learner), learner)
    lesson = next((one for one in found if one.key not in known), None)
    return "" if lesson is None or lesson.is_general else lesson.key


def _various(
    lessons: Lessons, imagined: Position[Any], seat: Seat, moves: list[Any], known: Collection[str]
) -> Iterator[Any]:
    """The moves, first one for each lesson that they show, then the others."""
    by_key: dict[str, list[Any]] = {}
    for move in moves:
        by_key.setdefault(_shows(lessons, imagined, seat, move, known), []).append(move)
    for turn in range(max(map(len, by_key.values()), default=0)):
        yield from (group[turn] for group in by_key.values() if turn < len(group))


def _worth(game_key: str, seen: Position[Any], seat: Seat, move: Any, rng: random.Random) -> float:
    judgement = judge_move(game_key, seen, seat, seen.write(seat, move), BUDGET, rng)
    return 0.5 if judgement is None else judgement.played
