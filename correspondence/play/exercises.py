"""Exercises: positions of finished games with exactly one move that wins by force.

All answers are in the tree that was proven when the exercise was found (`engines.search.exercises`), so nothing is
searched here. A member's first try counts once: it changes the ratings of member and exercise, by Glicko-2.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.models import PLAYING, Exercise, ExerciseAttempt, ExerciseRating, Match, Person
from correspondence.models.exercises import IS_SHOWN
from correspondence.play import exercise_boards, exercise_course
from correspondence.play.exercise_course import Course, Verdict
from correspondence.play.viewer_games import viewer_game_of
from correspondence.ratings.glicko2 import Strength, after_games, after_idle
from correspondence.ratings.rating_rows import PERIOD
from correspondence.ratings.ratings import rating_text
from engines import GAMES
from engines.base import Seat
from engines.codec import dump
from engines.record import ReplayError
from engines.refusal import Refusal
from engines.wording import _

LISTED = 12
"""Number of exercises proposed at once."""

SPARE = 20
"""Number of additional rows read, because some may not be shown to everyone."""


class ExerciseError(Refusal):
    """Raised if an exercise is refused; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class ExerciseCandidate:
    """A possible exercise: the seat to move, its stored view, and the move played, or ""."""

    seat: Seat
    position: str
    played: str


@dataclass(frozen=True, slots=True)
class ExerciseStanding:
    """A member's exercise rating, and how many exercises they tried and solved."""

    rating: float
    text: str
    tried: int
    solved: int


@dataclass(frozen=True, slots=True)
class Listed:
    """An exercise in a list; `solved` is None unless the reader has finished their first try."""

    number: int
    game: str
    seat: str
    moves: int
    rating: str
    solved: bool | None


def candidate(session: Session, match: Match, ply: int) -> ExerciseCandidate | None:
    """Return the position after `ply` entries if exactly one player is to move; else None."""
    course = viewer_game_of(session, match)
    try:
        position = course.at(ply)
    except ReplayError:
        return None
    if len(position.to_act) != 1 or position.to_act[0] < 0:
        return None
    played = course.entries[ply].text if ply < len(course.entries) else ""
    return ExerciseCandidate(position.to_act[0], dump(position.view(position.to_act[0])), played)


def add(
    session: Session, match_id: int, ply: int, position: str, tree: dict[str, Any], *, now: datetime
) -> Exercise | None:
    """Store an exercise found in a match; `position` is the stored view of the seat to move.

    None if the match already has one.
    """
    match = session.get_one(Match, match_id)
    if session.exec(select(Exercise.id).where(col(Exercise.match_id) == match_id)).first() is not None:
        return None
    initial = Strength()
    row = Exercise(
        match_id=match_id, ply=ply, game=match.game, version=match.version, options=match.options,
        seat=exercise_boards.loaded(match.game, match.options, position).to_act[0], moves=tree["moves"], position=position,
        tree=json.dumps(tree), rating=initial.rating, deviation=initial.deviation, volatility=initial.volatility,
        found_at=now,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


def exercise(session: Session, number: int, person_id: int | None = None) -> Exercise:
    """Return an exercise for a person or a guest.

    Raises ExerciseError if there is none, or it may not be shown. A person with a running game on a similar board does
    not see it. They get the same sentence as for a withdrawn exercise, because another one would reveal the win.
    """
    row = _numbered(session, number)
    is_out = row.withdrawn_at is not None or not _is_known(row) or _is_annulled(session, row)
    if is_out or exercise_boards.helps(session, person_id)(row):
        raise ExerciseError(_("Exercise {number} is not shown at present. Try another one.").format(number=number))
    return row


def _numbered(session: Session, number: int) -> Exercise:
    row = session.get(Exercise, number)
    if row is None:
        raise ExerciseError(_("There is no exercise {number}.").format(number=number))
    return row


def rating_of(row: Exercise) -> str:
    """Return the rating of an exercise as text."""
    return rating_text(row.rating, row.deviation)


def withdraw(session: Session, number: int, *, now: datetime) -> None:
    """Withdraw an exercise, shown or not; ratings stay. Raises ExerciseError if there is none."""
    row = _numbered(session, number)
    row.withdrawn_at = row.withdrawn_at or now
    session.add(row)


def _is_annulled(session: Session, row: Exercise) -> bool:
    return session.get_one(Match, row.match_id).result == PLAYING


def _is_known(row: Exercise) -> bool:
    return row.game in GAMES and GAMES[row.game].version == row.version


# -- which one -------------------------------------------------------------------------------


_ANNULLED = select(Match.id).where(col(Match.id) == col(Exercise.match_id), col(Match.result) == PLAYING)
OF_GAMES = (IS_SHOWN, col(Exercise.game).in_(bindparam("games", expanding=True)), ~_ANNULLED.exists())
"""Query conditions: exercises of installed games (the parameter `games`) that may be shown."""


def are_any(session: Session) -> bool:
    """Whether any exercise is shown."""
    return (
        session.exec(select(Exercise.id).where(*OF_GAMES).limit(1), params={"games": list(GAMES)}).first() is not None
    )


def of_day(session: Session, day: date, person_id: int | None = None) -> Exercise | None:
    """Return the exercise of a day (UTC), the same for everyone; None before any was found.

    Exercises take turns in the order in which they were found; those found on the day itself wait until the next. A
    person who may not see it gets the next in turn.
    """
    midnight = datetime.combine(day, time(), UTC)
    older = select(Exercise).where(*OF_GAMES, col(Exercise.found_at) < midnight).order_by(col(Exercise.id))
    games = {"games": list(GAMES)}
    count = session.exec(select(func.count()).select_from(older.subquery()), params=games).one()
    if not count:
        older, count = select(Exercise).where(*OF_GAMES).order_by(col(Exercise.id)), 1
    first = day.toordinal() % count
    in_turn = (
        session.exec(older.offset((first + turn) % count).limit(1), params=games).first() for turn in range(count)
    )
    return next(shown(session, in_turn, person_id), None)


def proposed(session: Session, person_id: int | None, *, now: datetime, most: int = LISTED) -> tuple[Listed, ...]:
    """Propose unfinished exercises nearest to the person's strength; to a guest, the latest."""
    query = select(Exercise).where(*OF_GAMES)
    if person_id is None:
        query = query.order_by(col(Exercise.id).desc())
    else:
        tried = select(ExerciseAttempt.exercise_id).where(
            col(ExerciseAttempt.person_id) == person_id, col(ExerciseAttempt.ended_at).is_not(None)
        )
        distance = func.abs(col(Exercise.rating) - standing_of(session, person_id, now=now).rating)
        query = query.where(col(Exercise.id).not_in(tried)).order_by(distance, col(Exercise.id).desc())
    found = session.exec(query.limit(most + SPARE), params={"games": list(GAMES)})
    return tuple(listed(row, None) for row in islice(shown(session, found, person_id), most))


def shown(session: Session, rows: Iterable[Exercise | None], person_id: int | None) -> Iterator[Exercise]:
    """Filter the exercises that may be shown to a person."""
    is_helping = exercise_boards.helps(session, person_id)
    return (row for row in rows if row is not None and _is_known(row) and not is_helping(row))


def next_for(session: Session, person: Person, *, now: datetime) -> Exercise | None:
    """Return a person's next exercise: the day's, else the nearest; None if all are finished."""
    today = of_day(session, now.date(), person.id)
    if today is not None and not is_over(attempt_of(session, person.id, today.id)):
        return today
    near = proposed(session, person.id, now=now, most=1)
    return session.get(Exercise, near[0].number) if near else None


def finished_by(session: Session, person_id: int) -> tuple[Listed, ...]:
    """Return the exercises that a person finished most recently, latest first."""
    query = select(Exercise, ExerciseAttempt).join(
        ExerciseAttempt, col(ExerciseAttempt.exercise_id) == col(Exercise.id)
    )
    query = query.where(
        col(ExerciseAttempt.person_id) == person_id, col(ExerciseAttempt.ended_at).is_not(None), IS_SHOWN
    )
    found = session.exec(query.order_by(col(ExerciseAttempt.ended_at).desc(), col(Exercise.id)).limit(LISTED))
    tries = [(row, attempt.solved) for row, attempt in found]
    may_see = {row.id for row in shown(session, [row for row, _solved in tries], person_id)}
    return tuple(listed(row, solved) for row, solved in tries if row.id in may_see)


def listed(row: Exercise, solved: bool | None) -> Listed:
    """Return an exercise as an entry of a list."""
    game = GAMES[row.game]
    return Listed(row.id, game.name, game.seats[row.seat], row.moves, rating_of(row), solved)


# -- attempts --------------------------------------------------------------------------------


def attempt_of(session: Session, person_id: int, number: int) -> ExerciseAttempt | None:
    """Return a person's first try at an exercise; None before it begins."""
    query = select(ExerciseAttempt).where(
        col(ExerciseAttempt.person_id) == person_id, col(ExerciseAttempt.exercise_id) == number
    )
    return session.exec(query).first()


def is_over(attempt: ExerciseAttempt | None) -> bool:
    """Whether a first try is over."""
    return attempt is not None and attempt.ended_at is not None


def line_of(attempt: ExerciseAttempt | None) -> tuple[str, ...]:
    """Return the moves of a first try."""
    return tuple(attempt.line.splitlines()) if attempt is not None else ()


def play(session: Session, person: Person, number: int, text: str, *, now: datetime) -> Course:
    """Play a move in a person's first try, which ends with a wrong move or the solution.

    Raises MoveError if the move is not possible, and ExerciseError if there is no such exercise or the try is over.
    """
    row, attempt = _begun(session, person, number, now)
    if attempt.ended_at is not None:
        raise ExerciseError(_("You have finished exercise {number}.").format(number=number))
    played = exercise_course.course(row, (*line_of(attempt), text))
    attempt.line = "\n".join(played.line)
    if played.verdict is Verdict.SOLVED:
        attempt.opened_at = now
    if played.verdict is not Verdict.OPEN:
        _end(session, row, attempt, played.verdict is Verdict.SOLVED, now)
    session.add(attempt)
    session.flush()
    return played


def give_up(session: Session, person: Person, number: int, *, now: datetime) -> None:
    """Show the solution; an open first try counts as not solved. Raises ExerciseError."""
    row, attempt = _begun(session, person, number, now)
    if attempt.ended_at is None:
        _end(session, row, attempt, False, now)
    attempt.opened_at = attempt.opened_at or now
    session.add(attempt)
    session.flush()


def solved_later(session: Session, person: Person, number: int, *, now: datetime) -> None:
    """Record that a person found the solution after their first try was over."""
    attempt = attempt_of(session, person.id, number)
    if attempt is not None and attempt.ended_at is not None and attempt.opened_at is None:
        attempt.opened_at = now
        session.add(attempt)


def _begun(session: Session, person: Person, number: int, now: datetime) -> tuple[Exercise, ExerciseAttempt]:
    exercise(session, number, person.id)
    row = session.get_one(Exercise, number, with_for_update=True, populate_existing=True)
    if attempt_of(session, person.id, number) is None:
        db.add_unless_there(session, ExerciseAttempt(exercise_id=number, person_id=person.id, begun_at=now))
    attempt = attempt_of(session, person.id, number)
    assert attempt is not None
    return row, attempt


def _end(session: Session, row: Exercise, attempt: ExerciseAttempt, solved: bool, now: datetime) -> None:
    """End a first try, and rate solver and exercise by their previous ratings."""
    rating = _rating(session, attempt.person_id, now)
    solver, problem = _strength_at(rating, now), Strength(row.rating, row.deviation, row.volatility)
    after = after_games(solver, [(problem, float(solved))], periods=0)
    harder = after_games(problem, [(solver, float(not solved))], periods=0)
    rating.rating, rating.deviation, rating.volatility = after.rating, after.deviation, after.volatility
    rating.tried, rating.solved, rating.updated_at = rating.tried + 1, rating.solved + int(solved), now
    row.rating, row.deviation, row.volatility = harder.rating, harder.deviation, harder.volatility
    row.tried, row.solved = row.tried + 1, row.solved + int(solved)
    attempt.ended_at, attempt.solved = now, solved
    attempt.rating_before, attempt.rating = solver.rating, after.rating
    session.add_all((rating, row, attempt))


def _rating(session: Session, person_id: int, now: datetime) -> ExerciseRating:
    if session.get(ExerciseRating, person_id) is None:
        first = Strength()
        db.add_unless_there(
            session,
            ExerciseRating(
                person_id=person_id, rating=first.rating, deviation=first.deviation, volatility=first.volatility,
                updated_at=now,
            ),
        )  # fmt: skip
    return session.get_one(ExerciseRating, person_id, with_for_update=True, populate_existing=True)


def _strength_at(row: ExerciseRating, now: datetime) -> Strength:
    return after_idle(Strength(row.rating, row.deviation, row.volatility), (now - row.updated_at) / PERIOD)


def standing_of(session: Session, person_id: int, *, now: datetime) -> ExerciseStanding:
    """Return a person's current exercise rating and counts."""
    row = session.get(ExerciseRating, person_id)
    strength = Strength() if row is None else _strength_at(row, now)
    text = rating_text(strength.rating, strength.deviation)
    return ExerciseStanding(strength.rating, text, row.tried if row else 0, row.solved if row else 0)
