"""The deal of the day for visitors who have not joined: their attempt lies in their signed cookie until they do.

Nothing is written for strangers. The cookie holds the day and at most LONGEST_ATTEMPT short moves, and is played through
anew at every request, so a forged or damaged one is an attempt that has not begun.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, flash, jsonify
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
"""The most characters of a move that is read."""

MOVES_LISTED = 240
"""The most legal moves that are listed."""

_KEY, _SEPARATOR = "deal", ";"


def kept_moves(day: date) -> tuple[str, ...]:
    """The moves at the deal of this day that the visitor's cookie holds."""
    kept = cookie.get(_KEY)
    if not isinstance(kept, dict) or kept.get("day") != day.isoformat() or not isinstance(kept.get("moves"), str):
        return ()
    moves = tuple(filter(None, kept["moves"].split(_SEPARATOR)))
    return moves if len(moves) <= LONGEST_ATTEMPT and all(len(one) <= LONGEST_MOVE for one in moves) else ()


def attempt_now(db: Session) -> Attempt:
    """The visitor's attempt at the deal of today, which has been made."""
    day = current_runtime().now().date()
    try:
        return puzzles.attempt(db, day, kept_moves(day))
    except MoveError:
        return puzzles.attempt(db, day, ())


def shown(attempt: Attempt, *, refused: MoveError | None = None, typed: str = "") -> dict[str, Any]:
    """What the pages show of an attempt, and of a move in it that was refused."""
    groups = () if attempt.is_solved else grouped_moves(attempt.position, 0, MOVES_LISTED)
    return {
        "attempt": attempt, "scene": attempt.position.draw(), "picture": scene_svg(attempt.position.draw(), 0),
        "groups": groups, "refused": str(refused or ""), "typed": typed, "suggestions": refused.suggestions if refused else (),
    }  # fmt: skip


def keep(attempt: Attempt) -> None:
    """Let the visitor's cookie hold an attempt."""
    cookie[_KEY] = {"day": attempt.day.isoformat(), "moves": _SEPARATOR.join(attempt.moves)}


def asked_move() -> str:
    """The move that the form sends: written, or picked from the list."""
    return lines.asked_move(LONGEST_MOVE)


@bp.post("/puzzles/guest/read")
def read() -> ResponseReturnValue:
    """What a typed move would do in the visitor's attempt, as JSON."""
    throttle.hit(throttle.READ)
    with reading() as db:
        return lines.verdict_on(attempt_now(db).position, LONGEST_MOVE)


@bp.get("/puzzles/guest/moves.json")
def moves() -> ResponseReturnValue:
    """Every move of the visitor's attempt, as a tree of touches; nothing before there is a deal of today."""
    throttle.hit(throttle.READ)
    runtime = current_runtime()
    with reading() as db:
        if not puzzles.are_days_prepared(db, now=runtime.now()):
            return jsonify(lines.NOTHING)
        return lines.touches_of(attempt_now(db).position)


def take_over(db: Session, person: Person) -> bool:
    """Keep the visitor's attempt as the person's own, who has joined or signed in; False where there is none to keep."""
    runtime = current_runtime()
    day = runtime.now().date()
    moves = kept_moves(day)
    kept = puzzles.keep_attempt(db, person, day, moves, now=runtime.now(), rng=runtime.rng) if moves else None
    return kept is not None


def tell_kept() -> None:
    """Say on the next page that the attempt is kept."""
    flash(_("Your deal of the day is kept: you find it among your puzzles."))
