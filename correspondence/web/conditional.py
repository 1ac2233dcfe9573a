"""Conditional moves (a player's plan), entered on the game's page or on the analysis board."""

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
from correspondence.web.forms import form_text, number
from engines.wording import _

bp = Blueprint("conditional", __name__)


@bp.post("/games/<number:match>/plan")
def enter(match: int) -> ResponseReturnValue:
    """Replace the plan by the lines in the form and switch it on.

    A refusal changes nothing and keeps the input.
    """
    text, ply = form_text("lines", syntax.LONGEST + 1), number(form_text("ply", 12))
    takebacks = number(form_text("takebacks", 12))

    def put(db: Session, player: Player, *, now: datetime) -> PlanView:
        return plan_commands.enter(db, player, text, now=now, ply=ply, takebacks=takebacks, is_whole=True)

    return _act(match, put, lines=text)


@bp.post("/games/<number:match>/plan/on")
def resume(match: int) -> ResponseReturnValue:
    """Resume a stopped plan."""
    return _act(match, plan_commands.resume)


@bp.post("/games/<number:match>/plan/drop")
def drop(match: int) -> ResponseReturnValue:
    """Delete the plan."""
    return play.act(match, plan_commands.cancel, lambda _done: _("Your plan has been dropped."))


@bp.post("/games/<number:match>/plan/open")
def open_sealed(match: int) -> ResponseReturnValue:
    """After the game, agree to show both players the plans that were not played."""
    next_page = url_for("games.show", number=match) + "#plan"
    return play.act(match, disclosure.agree, lambda seen: seen.status, next_page)


@bp.post("/games/<number:match>/plan/tried")
def arm(match: int) -> ResponseReturnValue:
    """Add a line from the analysis board to the plan."""
    ply, at = number(form_text("ply", 12)), number(form_text("at", 12))

    def take(db: Session, player: Player, *, now: datetime) -> PlanView:
        return plan_commands.arm_tried(db, player, -1 if ply is None else ply, at, now=now)

    return _act(match, take)


def _act(match: int, use_case: Callable[..., Any], **typed: str) -> ResponseReturnValue:
    def message(plan: PlanView) -> str:
        return " ".join([*plan.changes, plan.status])

    return play.act(match, use_case, message, url_for("games.show", number=match) + "#plan", **typed)
