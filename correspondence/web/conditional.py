"""A player's plan for a game: entered and changed on the game's page, armed from the board of one's own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.models import Player
from correspondence.play.conditional import disclosure, plan_commands, syntax
from correspondence.play.conditional.plan_commands import PlanView
from correspondence.web import play
from correspondence.web.forms import number, written
from engines.wording import _

bp = Blueprint("conditional", __name__, url_prefix="/games/<number:match>/plan")


@bp.post("")
def enter(match: int) -> ResponseReturnValue:
    """The plan is what the form holds, and is on; a refusal changes nothing and keeps what was typed."""
    text, ply = written("lines", syntax.LONGEST + 1), number(written("ply", 12))

    def put(acting: Session, player: Player, *, now: datetime) -> PlanView:
        return plan_commands.enter(acting, player, text, now=now, ply=ply, replace=True)

    return _act(match, put, lines=text)


@bp.post("/on")
def resume(match: int) -> ResponseReturnValue:
    """A plan that was stopped goes on."""
    return _act(match, plan_commands.resume)


@bp.post("/drop")
def drop(match: int) -> ResponseReturnValue:
    """The plan is forgotten."""
    return play.act(match, plan_commands.cancel, lambda _done: _("Your plan is dropped."))


@bp.post("/open")
def open_sealed(match: int) -> ResponseReturnValue:
    """The game is over, and the player wants what was planned and not played opened to both."""
    back = url_for("games.show", number=match) + "#plan"
    return play.act(match, disclosure.agree, lambda seen: seen.standing, back)


@bp.post("/tried")
def arm(match: int) -> ResponseReturnValue:
    """A line that was tried on the board of one's own becomes part of the plan."""
    ply, at = number(written("ply", 12)), number(written("at", 12))

    def take(acting: Session, player: Player, *, now: datetime) -> PlanView:
        return plan_commands.arm_tried(acting, player, -1 if ply is None else ply, at, now=now)

    return _act(match, take)


def _act(match: int, use_case: Callable[..., Any], **typed: str) -> ResponseReturnValue:
    def told(plan: PlanView) -> str:
        return " ".join([*plan.changes, plan.standing])

    return play.act(match, use_case, told, url_for("games.show", number=match) + "#plan", **typed)
