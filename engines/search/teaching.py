"""Choose a teaching move: one that shows a new lesson without being a blunder."""

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
"""Maximum number of legal moves to sample from."""

DRAWN = 24
"""Sample size of moves checked for lessons."""

COMPARED = 5
"""Number of moves that are rated."""

BUDGET = 40
"""Search budget for each rated move."""

GIVEN_AWAY = 0.1
"""Maximum loss against the best rated move, as a difference of expected results."""


def choose_to_show(
    game_key: str, position: Position[Any], seat: Seat, level: int, known: Collection[str], rng: random.Random
) -> Any:
    """Choose a robot's move that shows a lesson whose key is not `known`, if a good move does.

    It avoids ending the game. If the game has no lessons, or none can be shown, this behaves like `choose` and raises
    the same errors.
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
    """Return the key of the new lesson that a move shows; empty if none."""
    after, learner = imagined.after(seat, move), 1 - seat
    found = shown(lessons, imagined, seat, move, after, learner)
    lesson = next((one for one in found if one.key not in known), None)
    return "" if lesson is None or lesson.is_general else lesson.key


def _various(lesson_of: Mapping[Any, str]) -> Iterator[Any]:
    """Sort moves that show a lesson: first one per lesson, then the others."""
    by_key: dict[str, list[Any]] = {}
    for move, key in lesson_of.items():
        if key:
            by_key.setdefault(key, []).append(move)
    for turn in range(max(map(len, by_key.values()), default=0)):
        yield from (group[turn] for group in by_key.values() if turn < len(group))
