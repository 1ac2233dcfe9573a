"""The deal of the day for visitors without an account: a signed cookie holds their attempt.

Nothing is stored on the server for guests. The cookie holds the day and at most LONGEST_ATTEMPT short moves, which are
replayed at every request. An invalid cookie counts as an attempt that has not begun.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, jsonify
from flask import session as cookie
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.models import Person
from correspondence.play import puzzles
from correspondence.play.puzzles import LONGEST_ATTEMPT, Attempt
from correspondence.render.viewer_game import grouped_moves, scene_svg
from correspondence.web import lines, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.base import MoveError
from engines.wording import _

bp = Blueprint("guest_deal", __name__)

LONGEST_MOVE = 20
"""Maximum length of a move, in characters."""

MOVES_LISTED = 240
"""Maximum number of legal moves listed."""

_KEY, _SEPARATOR = "deal", ";"


def kept_moves(day: date) -> tuple[str, ...]:
    """The moves in the visitor's cookie for the deal of this day."""
    kept = cookie.get(_KEY)
    if not isinstance(kept, dict) or kept.get("day") != day.isoformat() or not isinstance(kept.get("moves"), str):
        return ()
    moves = tuple(filter(None, kept["moves"].split(_SEPARATOR)))
    return moves if len(moves) <= LONGEST_ATTEMPT and all(len(one) <= LONGEST_MOVE for one in moves) else ()


def attempt_now(db: Session) -> Attempt:
    """The visitor's attempt at today's deal, which must exist."""
    day = current_runtime().now().date()
    try:
        return puzzles.attempt(db, day, kept_moves(day))
    except MoveError:
        return puzzles.attempt(db, day, ())


def shown(attempt: Attempt, *, refused: MoveError | None = None, typed: str = "") -> dict[str, Any]:
    """The template context of an attempt, and of a refused move in it."""
    groups = () if attempt.is_solved else grouped_moves(attempt.position, 0, MOVES_LISTED)
    return {
        "attempt": attempt, "scene": attempt.position.draw(), "picture": scene_svg(attempt.position.draw(), 0),
        "groups": groups, "refused": str(refused or ""), "typed": typed, "suggestions": refused.suggestions if refused else (),
    }  # fmt: skip


def keep(attempt: Attempt) -> None:
    """Store an attempt in the visitor's cookie."""
    cookie[_KEY] = {"day": attempt.day.isoformat(), "moves": _SEPARATOR.join(attempt.moves)}


def asked_move() -> str:
    """The form's move: typed, or picked from the list."""
    return lines.asked_move(LONGEST_MOVE)


@bp.post("/puzzles/guest/read")
def read() -> ResponseReturnValue:
    """Preview a typed move in the visitor's attempt, as JSON."""
    throttle.hit(throttle.READ)
    with reading() as db:
        return lines.verdict_on(attempt_now(db).position, LONGEST_MOVE)


@bp.get("/puzzles/guest/moves.json")
def moves() -> ResponseReturnValue:
    """Return every move of the visitor's attempt as a touch tree.

    It is empty if today's deal does not exist.
    """
    throttle.hit(throttle.READ)
    runtime = current_runtime()
    with reading() as db:
        if not puzzles.are_days_prepared(db, now=runtime.now()):
            return jsonify(lines.NOTHING)
        return lines.touches_of(attempt_now(db).position)


def take_over(db: Session, person: Person) -> str:
    """Store a guest's attempt for the member who has joined or signed in; return a sentence about it.

    Empty if there is nothing to store.
    """
    runtime = current_runtime()
    day = runtime.now().date()
    moves = kept_moves(day)
    kept = puzzles.keep_attempt(db, person, day, moves, now=runtime.now(), rng=runtime.rng) if moves else None
    return "" if kept is None else _("Your deal of the day has been saved among your puzzles.")
