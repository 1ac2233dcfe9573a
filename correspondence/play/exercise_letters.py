"""Exercises by mail: their text, the weekly letter, and what a reply refers to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import new_token
from correspondence.accounts.letter_stops import stop_token
from correspondence.core import db
from correspondence.core.i18n import in_language
from correspondence.models import Exercise, Letter, Person, Purpose, Token
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import PICTURE_WIDTH, Draft, wrapped
from correspondence.outbound.transcript import PageBlock, TranscriptEntry, pictures_of
from correspondence.play import exercise_course, exercise_words, exercises
from correspondence.play.exercise_course import Course
from correspondence.play.exercises import ExerciseError
from correspondence.play.letter_context import board_for, board_svg, notation_lines
from engines import GAMES
from engines.wording import _

WEEK = timedelta(days=7)
"""Interval between weekly exercises."""

AGAIN_AFTER = timedelta(days=1)
"""Delay before looking again, after a week without a new exercise."""

CHOSEN_FROM = 100
"""Number of exercises nearest to a person's strength, one of which is chosen."""

WIDTH = 72
"""Maximum line width of the notation help, in characters."""


def write_weekly(session: Session, person_id: int, *, now: datetime) -> None:
    """Write a person's weekly exercise and schedule the next one.

    Nothing is written if they have unsubscribed, or if they have finished or been sent every exercise.
    """
    person = session.get_one(Person, person_id, with_for_update=db.NO_KEY_UPDATE, populate_existing=True)
    if not person.exercise_letters or person.exercise_due_at is None or person.exercise_due_at > now:
        return
    row = _unsent(session, person, now)
    person.exercise_due_at = now + (AGAIN_AFTER if row is None else WEEK)
    session.add(person)
    if row is not None:
        _write(session, person, row, now)


def _unsent(session: Session, person: Person, now: datetime) -> Exercise | None:
    near = exercises.proposed(session, person.id, now=now, most=CHOSEN_FROM)
    numbers = (one.number for one in near if not letters.is_written(session, _key(person, one.number)))
    number = next(numbers, None)
    return None if number is None else session.get(Exercise, number)


def _key(person: Person, number: int) -> str:
    return f"exercise:u{person.id}:e{number}"


def is_fit(session: Session, letter: Letter) -> bool:
    """Whether an unsent letter may still show its exercise to its reader."""
    try:
        exercises.exercise(session, int(letter.key.rpartition(":e")[2]), letter.person_id)
    except ExerciseError:
        return False
    return True


def _write(session: Session, person: Person, row: Exercise, now: datetime) -> None:
    with in_language(person.language):
        entry, head = shown(session, person, row), _head(row)
    draft = Draft(
        kinds.EXERCISE,
        _key(person, row.id),
        reply_token=reply_token(session, person, *(entry.exercise or (row.id, ())), now=now).id,
        stop_token=stop_token(session, person, kinds.EXERCISE, now=now),
        diagrams=pictures_of([entry]),
    )
    to = letters.to_person(session, person)
    context = {"number": row.id, "game": GAMES[row.game], "entries": [entry], "head": head}
    letters.write_letter(session, to, draft, now=now, **context)


def reply_token(session: Session, person: Person, number: int, line: Sequence[str], *, now: datetime) -> Token:
    """Return the reply token for an exercise after these moves; a reply makes the next move."""
    payload: dict[str, Any] = {"exercise": number, "line": list(line)}
    query = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.EXERCISE)
    query = query.where(col(Token.payload) == json.dumps(payload), col(Token.used_at).is_(None))
    return session.exec(query).first() or new_token(session, Purpose.EXERCISE, now=now, person=person, **payload)


def place_of(token: Token) -> tuple[int, tuple[str, ...]]:
    """Return the exercise of a reply token, and the moves that its letter showed."""
    payload = json.loads(token.payload)
    return int(payload["exercise"]), tuple(payload["line"])


def shown(session: Session, person: Person, row: Exercise, opening: str = "") -> TranscriptEntry:
    """Show an exercise in a letter, at the current place of the person's first try.

    The text starts with `opening` and is in the current language.
    """
    attempt = exercises.attempt_of(session, person.id, row.id)
    line = () if exercises.is_over(attempt) else exercises.line_of(attempt)
    course = exercise_course.course(row, line)
    counts = _("It no longer counts for you, because your first try is over.") if exercises.is_over(attempt) else ""
    sentences = (
        opening,
        _head(row),
        exercise_words.source(session, row),
        exercise_words.verdict(row, course),
        counts,
    )
    return after(person, row, course, " ".join(filter(None, sentences)))


def _head(row: Exercise) -> str:
    """Introduce an exercise: its number and its task."""
    return " ".join((_("Exercise {number}.").format(number=row.id), exercise_words.task(row)))


def _how(row: Exercise, course: Course, is_again: bool) -> tuple[str, ...]:
    """Explain how to reply and, before the first move, how moves are written in general."""
    if is_again:
        return (_("Reply with another move, or with the word solution."),)
    reply = _("Reply with your move. To give up, write: solution")
    return (reply,) if course.steps else (reply, *notation_lines(GAMES[row.game]))


def subject(row: Exercise) -> str:
    """Return the subject of letters about an exercise, in the current language."""
    return _("Exercise %(number)s: %(game)s") % {"number": row.id, "game": _(GAMES[row.game].name)}


def after(person: Person, row: Exercise, course: Course, text: str, *, is_again: bool = False) -> TranscriptEntry:
    """Show the board of an exercise and how to reply, below `text`.

    `is_again` means that another move was wrong here.
    """
    scene = course.position.draw()
    board = board_for(person, scene, row.seat)
    how = _how(row, course, is_again)
    caption = exercise_words.seat_name(row, row.seat)
    picture = board_svg(scene, row.seat, person.board)
    page = (
        PageBlock("diagram", "", picture=picture, alt=caption, width=PICTURE_WIDTH, board=board),
        *(PageBlock("paragraph", line) for line in how),
    )
    block = "\n\n".join((board, how[0], *filter(None, [wrapped("\n".join(how[1:]), WIDTH)])))
    return TranscriptEntry("", text, block=block, page=page if picture else (), exercise=(row.id, course.line))
