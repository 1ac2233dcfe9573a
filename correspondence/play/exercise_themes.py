"""A course of exercises: by theme, which is the game and how its win comes about, the easiest first.

Redacted like the list of exercises: nobody sees one that would be advice in a running game of theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session, and_, col, select

from correspondence.core.caching import cached
from correspondence.models import Exercise, ExerciseAttempt
from correspondence.play import exercise_course, exercises
from correspondence.play.exercises import Listed
from engines import GAMES

MOST = 300
"""Maximum number of exercises in the course, the earliest found: a course that grew daily would have no end."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The exercises of a game that are won in one way; `win` completes “wins by …” in English, or is empty.

    `next_number` is that of the reader's next exercise, None if all are finished.
    """

    game: str
    win: str
    listed: tuple[Listed, ...]

    @property
    def solved(self) -> int:
        """How many the reader solved at the first try."""
        return sum(one.solved is True for one in self.listed)

    @property
    def next_number(self) -> int | None:
        """The number of the first exercise that the reader has not finished."""
        return next((one.number for one in self.listed if one.solved is None), None)


def themes(session: Session, person_id: int | None) -> tuple[Theme, ...]:
    """Return the course for a reader or a guest: games in their usual order, in each the easiest theme first."""
    is_own = and_(
        col(ExerciseAttempt.exercise_id) == col(Exercise.id),
        col(ExerciseAttempt.person_id) == person_id,
        col(ExerciseAttempt.ended_at).is_not(None),
    )
    query = select(Exercise, ExerciseAttempt).outerjoin(ExerciseAttempt, is_own).where(*exercises.OF_GAMES)
    found = session.exec(query.order_by(col(Exercise.id)).limit(MOST), params={"games": list(GAMES)}).all()
    tried = {row.id: attempt.solved for row, attempt in found if attempt is not None}
    return _sorted(exercises.shown(session, (row for row, _attempt in found), person_id), tried)


def next_after(session: Session, row: Exercise, person_id: int | None) -> int | None:
    """Return the number of the exercise that follows in its theme; to a member, one that they have not finished."""
    theme = next((one for one in themes(session, person_id) if any(row.id == ex.number for ex in one.listed)), None)
    if theme is None:
        return None
    numbers = [one.number for one in theme.listed]
    later = theme.listed[numbers.index(row.id) + 1 :]
    return next(
        (one.number for one in later if one.solved is None), theme.next_number if person_id is not None else None
    )


def _sorted(rows: Iterable[Exercise], tried: dict[int, bool]) -> tuple[Theme, ...]:
    of_theme: dict[tuple[str, str], list[Exercise]] = defaultdict(list)
    for row in sorted(rows, key=_difficulty):  # so the first of each theme is its easiest
        of_theme[row.game, _win(row)].append(row)
    order = list(GAMES)
    ordered = sorted(of_theme.items(), key=lambda one: (order.index(one[0][0]), _difficulty(one[1][0])))
    return tuple(
        Theme(GAMES[game].name, win, tuple(exercises.listed(row, tried.get(row.id)) for row in of_it))
        for (game, win), of_it in ordered
    )


def _difficulty(row: Exercise) -> tuple[int, float, int]:
    return row.moves, row.rating, row.id


@cached(MOST, key=lambda row: (row.game, row.options, row.version, row.seat, row.position, row.tree))
def _win(row: Exercise) -> str:
    """How the solution wins, in English; empty if the rest depends on what the solver cannot see."""
    line = [step.text for step in exercise_course.solution(row)]
    outcome = exercise_course.course(row, line).position.outcome
    return outcome.reason if outcome is not None else ""
