"""The sequence of lessons in a teaching game: one after each of the robot's first moves.

It uses only what the learner may see. It is deterministic and stateless: the same record gives the same lessons.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.base import CHANCE, Position, Seat
from engines.teaching import Lesson, Lessons
from engines.typed import mistyped

MOVES = 10
"""Number of robot moves that are explained; after them the game continues as usual."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CourseStep:
    """The lesson shown after `ply` entries, of which the robot made `number`."""

    ply: int
    number: int
    lessons: tuple[Lesson, ...]

    @property
    def is_last(self) -> bool:
        """Whether this is the last lesson."""
        return self.number >= MOVES


def course(
    lessons: Lessons, steps: Sequence[tuple[Position[Any], Seat, Any]], now: Position[Any], learner: Seat
) -> Iterator[CourseStep]:
    """Return a game's lessons in order: only the first with each key, none after MOVES moves.

    `steps` hold, for each entry from the beginning, the position before it, its seat and its move. `now` is the
    position after all of them.
    """
    known: set[str] = set()
    number = 0
    positions = [*(step[0] for step in steps), now]
    if learner in positions[0].to_act:
        yield CourseStep(0, 0, _new(_possible(lessons, positions[0], learner), known))
    for ply, (before, seat, move) in enumerate(steps, start=1):
        if seat in (CHANCE, learner):
            continue
        number, after = number + 1, positions[ply]
        found = _new(shown(lessons, before, seat, move, after, learner), known)
        if learner in after.to_act and number < MOVES:
            found += _new(_possible(lessons, after, learner), known)
        yield CourseStep(ply, number, found)
        if number == MOVES:
            return


def shown(
    lessons: Lessons, before: Position[Any], seat: Seat, move: Any, after: Position[Any], learner: Seat
) -> Iterator[Lesson]:
    """Return the lessons that a robot move showed the learner.

    An exception in the game's code is logged and ends the list.
    """
    text = before.tell(seat, move, learner, after)
    return _sound(lambda: lessons.shown(before.view(learner), text, after.view(learner), learner))


def _possible(lessons: Lessons, position: Position[Any], learner: Seat) -> Iterator[Lesson]:
    return _sound(lambda: lessons.possible(position.view(learner), learner))


def _sound(find: Callable[[], Iterator[Lesson]]) -> Iterator[Lesson]:
    """Yield a game's lessons, and stop at an exception: a lesson must not break a page."""
    try:
        for lesson in find():
            if mistyped(lesson) or not lesson.key or not lesson.words:
                raise TypeError(f"no lesson: {type(lesson).__name__}")
            yield lesson
    except Exception:
        log.warning("a lesson is left out", exc_info=True)


def _new(found: Iterator[Lesson], known: set[str]) -> tuple[Lesson, ...]:
    """Return the first lesson not shown yet and mark it as shown; None if there is none."""
    for lesson in found:
        if lesson.key not in known:
            known.add(lesson.key)
            return (lesson,)
    return ()
