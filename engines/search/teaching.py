"""Choosing a move that teaches: one that shows the learner something new, among moves that give nothing away."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from engines import game_known
from engines.base import Position, Seat
from engines.course import shown
from engines.search.choosing import choose
from engines.search.judgement import worths_of
from engines.teaching import Lessons

LOOKED_AT = 2_000
"""So many legal moves are drawn from."""

DRAWN = 24
"""Of so many moves it is looked what they would show."""

COMPARED = 5
"""So many of them are judged."""

BUDGET = 40
"""So many positions are looked at for each of them."""

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
    lesson_of = {move: _shows(lessons, imagined, seat, move, known) for move in going_on}
    compared = list(dict.fromkeys([*going_on[:1], *_various(lesson_of)]))[:COMPARED]
    found = worths_of(game_key, seen, seat, compared, BUDGET * len(compared), rng)
    good = [move for move, worth in zip(compared, found, strict=True) if worth >= max(found) - GIVEN_AWAY]
    return next((move for move in good if lesson_of[move]), good[0] if good else usual)


def _shows(lessons: Lessons, imagined: Position[Any], seat: Seat, move: Any, known: Collection[str]) -> str:
    """The key of the new lesson that a move shows by itself; empty where it shows none."""
    after, learner = imagined.after(seat, move), 1 - seat
    found = shown(lessons, imagined, seat, move, after, learner)
    lesson = next((one for one in found if one.key not in known), None)
    return "" if lesson is None or lesson.is_general else lesson.key


def _various(lesson_of: Mapping[Any, str]) -> Iterator[Any]:
    """The moves that show a lesson, first one for each lesson, then the others."""
    by_key: dict[str, list[Any]] = {}
    for move, key in lesson_of.items():
        if key:
            by_key.setdefault(key, []).append(move)
    for turn in range(max(map(len, by_key.values()), default=0)):
        yield from (group[turn] for group in by_key.values() if turn < len(group))
