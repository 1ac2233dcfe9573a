"""The first page after joining: a waiting challenge, a lesson, a robot, a partner."""

from __future__ import annotations

from flask import Blueprint, render_template

from correspondence.accounts import robots
from correspondence.matchmaking import teaching_games
from correspondence.queries.open_challenges import challenges_of
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("first_steps", __name__)


@bp.get("/welcome")
def show() -> str:
    """Show what a new member can do first; a waiting challenge stands on top."""
    member, now = session.require_member(), current_runtime().now()
    with reading() as db:
        challenges, _own = challenges_of(db, member.id, now=now)
        is_awake = robots.are_awake(db, now=now)
        lessons = teaching_games.untried(db, member.id) if is_awake else ()
    return render_template("first_steps.html", challenges=challenges, lessons=lessons, is_awake=is_awake)
