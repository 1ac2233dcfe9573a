"""Exercises: positions of finished games with exactly one winning move, for anyone to try.

Moves of guests, and of members after their first attempt, are in the URL and are not stored. A member's first attempt
is stored move by move, and the URL does not contain it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import operators
from correspondence.core.db import transaction
from correspondence.models import Exercise, ExerciseAttempt, Person
from correspondence.play import exercise_course, exercise_themes, exercise_words, exercises
from correspondence.play.exercise_course import Course, Verdict
from correspondence.play.exercises import ExerciseError
from correspondence.render.viewer_game import grouped_moves, scene_svg
from correspondence.web import errors, lines, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, query_text
from correspondence.web.lines import LONGEST_LINE, SEPARATOR
from engines import GAMES
from engines.base import MoveError
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("exercises", __name__)

MOVES_LISTED = 240
"""Maximum number of legal moves listed."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """An exercise with the visitor's progress; `is_open` if they may see the solution."""

    row: Exercise
    course: Course
    attempt: ExerciseAttempt | None
    is_open: bool


@bp.get("/exercises")
def listed() -> str:
    """List the exercise of the day, further ones to try, and those the visitor has finished."""
    now, reader = current_runtime().now(), session.visitor_id()
    with reading() as db:
        today = exercises.of_day(db, now.date(), reader)
        own = () if reader is None else exercises.finished_by(db, reader)
        others = exercises.proposed(db, reader, now=now, most=exercises.LISTED + 1)
        near = [one for one in others if today is None or one.number != today.id][: exercises.LISTED]
        standing = None if reader is None else exercises.standing_of(db, reader, now=now)
        board = _board(db, _seen(db, today)) if today is not None else None
        is_any = today is not None or exercises.are_any(db)
        return render_template("exercises.html", board=board, is_any=is_any, near=near, own=own, standing=standing)


@bp.get("/exercises/course")
def course() -> str:
    """List the exercises as a course: by theme, the easiest first, with the member's progress."""
    with reading() as db:
        return render_template("exercise_course.html", themes=exercise_themes.themes(db, session.visitor_id()))


@bp.get("/exercises/<number:number>")
def show(number: int) -> ResponseReturnValue:
    """Show an exercise after the visitor's moves, with the verdict on them."""
    with reading() as db:
        return _page(db, _seen(db, _exercise_or_404(db, number)))


@bp.post("/exercises/<number:number>")
def play(number: int) -> ResponseReturnValue:
    """Play a move; redirect to the exercise after it.

    In a member's first attempt the move is stored, or else the URL contains the longer line.
    """
    throttle.hit(throttle.ACT)
    text = lines.asked_move()
    with reading() as db:
        before = _seen(db, _exercise_or_404(db, number), lines.moves_in(form_text("moves", LONGEST_LINE)))
    try:
        course = _played(before, text)
    except (MoveError, ExerciseError) as error:
        with reading() as db:
            return _page(db, before, refused=error, typed=text), 422
    return redirect(url_for("exercises.show", number=number, moves=SEPARATOR.join(course.line), _anchor="board"), 303)


@bp.post("/exercises/<number:number>/solution")
def give_up(number: int) -> ResponseReturnValue:
    """Show the solution; this ends a member's first attempt if it is open."""
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.visitor()
    with reading() as db:
        _exercise_or_404(db, number)
    if member is not None:
        with transaction(runtime.engine) as db:
            exercises.give_up(db, db.get_one(Person, member.id), number, now=runtime.now())
    solution = None if member is not None else "shown"
    return redirect(url_for("exercises.show", number=number, solution=solution, _anchor="solution"), 303)


@bp.post("/exercises/<number:number>/withdraw")
def withdraw(number: int) -> ResponseReturnValue:
    """Withdraw an exercise; for operators only."""
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.require_member()
    try:
        with transaction(runtime.engine) as db:
            if not operators.is_operator(db, member.id):
                abort(404)
            exercises.withdraw(db, number, now=runtime.now())
    except ExerciseError:
        abort(404)
    flash(_("Exercise {number} has been withdrawn.").format(number=number))
    return redirect(url_for("exercises.listed"), 303)


@bp.post("/exercises/<number:number>/read")
def read(number: int) -> ResponseReturnValue:
    """Preview a move on the board as JSON, without revealing whether it is right."""
    throttle.hit(throttle.READ)
    with reading() as db:
        seen = _seen(db, _exercise_or_404(db, number), lines.moves_in(form_text("moves", LONGEST_LINE)))
        return lines.verdict_on(seen.course.position)


@bp.get("/exercises/<number:number>/moves.json")
def moves(number: int) -> ResponseReturnValue:
    """Return every move that can be tried, as a touch tree."""
    throttle.hit(throttle.READ)
    with reading() as db:
        return lines.touches_of(_seen(db, _exercise_or_404(db, number)).course.position)


def _exercise_or_404(db: Session, number: int) -> Exercise:
    try:
        return exercises.exercise(db, number, session.visitor_id())
    except ExerciseError as error:
        abort(make_response(errors.refusal(404, _("Not found"), str(error))))


def _seen(db: Session, row: Exercise, moves: tuple[str, ...] | None = None) -> _Seen:
    """The exercise after the visitor's moves, and whether they may see the solution.

    The moves are the stored ones of an open first attempt, or else the requested ones. If the moves cannot be played,
    the exercise is shown from its start.
    """
    reader = session.visitor_id()
    attempt = None if reader is None else exercises.attempt_of(db, reader, row.id)
    if reader is not None and not exercises.is_over(attempt):
        return _Seen(row, exercise_course.course(row, exercises.line_of(attempt)), attempt, False)
    line = lines.moves_in(query_text("moves", LONGEST_LINE)) if moves is None else moves
    try:
        course = exercise_course.course(row, line)
    except MoveError:
        course = exercise_course.course(row, ())
    is_open = query_text("solution") != "" if attempt is None else attempt.opened_at is not None
    return _Seen(row, course, attempt, is_open or course.verdict is Verdict.SOLVED)


def _played(before: _Seen, text: str) -> Course:
    """Play a further move; store it if it belongs to a member's first attempt."""
    runtime, member = current_runtime(), session.visitor()
    if member is None:
        return exercise_course.course(before.row, (*before.course.line, text))
    with transaction(runtime.engine) as db:
        person = db.get_one(Person, member.id)
        if not exercises.is_over(exercises.attempt_of(db, member.id, before.row.id)):
            return exercises.play(db, person, before.row.id, text, now=runtime.now())
        course = exercise_course.course(before.row, (*before.course.line, text))
        if course.verdict is Verdict.SOLVED:
            exercises.solved_later(db, person, before.row.id, now=runtime.now())
        return course


def _page(db: Session, seen: _Seen, *, refused: Refusal | None = None, typed: str = "") -> str:
    reader = session.visitor_id()
    may_withdraw = reader is not None and operators.is_operator(db, reader)
    board = _board(db, seen, refused=refused, typed=typed)
    return render_template("exercise.html", board=board, may_withdraw=may_withdraw)


def _board(db: Session, seen: _Seen, *, refused: Refusal | None = None, typed: str = "") -> dict[str, Any]:
    """The template context of an exercise: board, task, and the verdict on the visitor's moves."""
    row, course, position = seen.row, seen.course, seen.course.position
    solution = exercise_course.solution(row) if seen.is_open else ()
    can_move = course.verdict is Verdict.OPEN and position.to_act == (row.seat,)
    is_finished = course.verdict is Verdict.SOLVED or seen.is_open
    return {
        "row": row, "game": GAMES[row.game], "course": course, "attempt": seen.attempt, "is_open": seen.is_open,
        "picture": _picture(row, course), "scene": position.draw(), "can_move": can_move,
        "groups": grouped_moves(position, row.seat, MOVES_LISTED) if can_move else (),
        "line": SEPARATOR.join(course.line), "back": SEPARATOR.join(course.line[:-1]),
        "task": exercise_words.task(row), "source": exercise_words.source(db, row),
        "verdict": exercise_words.verdict(row, course), "fared": exercise_words.fared(row),
        "rating": exercises.rating_of(row), "solution": exercise_words.written(row, solution),
        "solution_line": SEPARATOR.join(step.text for step in solution),
        "following": exercise_themes.next_after(db, row, session.visitor_id()) if is_finished else None,
        "counted": exercise_words.counted(seen.attempt) if seen.attempt is not None and seen.attempt.ended_at else "",
        "refused": str(refused or ""), "suggestions": getattr(refused, "suggestions", ()), "typed": typed,
    }  # fmt: skip


def _picture(row: Exercise, course: Course) -> str:
    scene = course.position.draw()
    return scene_svg(lines.marked(course.before.draw(), scene) if course.steps else scene, row.seat)
