"""Conditional moves: the member's plan in a game, hidden from everybody else."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.api.acting import Done, for_player, own_player
from correspondence.api.calls import Input, ResponseBody, call
from correspondence.api.shapes import Lines, Number
from correspondence.models import ApiScope, Player
from correspondence.models.loading import locked
from correspondence.play import stale_moves
from correspondence.play.conditional import plan_commands
from correspondence.play.conditional.plan_commands import PlanView
from correspondence.web.db_session import reading
from engines.wording import _


class Plan(ResponseBody):
    """The current plan: a sentence about its status, its lines, and its latest changes."""

    status: str
    lines: list[str]
    is_armed: bool
    can_resume: bool
    changes: list[str]


class PlanIn(Input):
    """The whole plan, as on the page or by mail, for the position after `ply` entries.

    Its form is `if MOVE then MOVE; …`. `takebacks` is the value of the game that the program has seen.
    """

    lines: Lines
    ply: Number
    takebacks: Number | None = None


@call("GET", "/games/<number:number>/plan", topic="conditional moves", answers=Plan)
def show(number: int) -> Plan:
    """Return the member's plan."""
    with reading() as db:
        return _plan(plan_commands.plan_view(db, own_player(db, number)))


@call("PUT", "/games/<number:number>/plan", topic="conditional moves", scope=ApiScope.PLAY, takes=PlanIn, answers=Plan)
def replace(number: int, body: PlanIn) -> Plan:
    """Replace the plan by these lines and switch it on; a refusal changes nothing."""

    def enter(db: Session, player: Player, now: datetime) -> PlanView:
        stale_moves.must_name_takebacks(locked(db, number), body.ply, body.takebacks)
        return plan_commands.enter(
            db, player, body.lines, now=now, ply=body.ply, takebacks=body.takebacks, is_whole=True
        )

    return _plan(for_player(number, enter))


@call("POST", "/games/<number:number>/plan/resume", topic="conditional moves", scope=ApiScope.PLAY, answers=Plan)
def resume(number: int) -> Plan:
    """Resume a stopped plan."""

    def go_on(db: Session, player: Player, now: datetime) -> PlanView:
        return plan_commands.resume(db, player, now=now)

    return _plan(for_player(number, go_on))


@call("DELETE", "/games/<number:number>/plan", topic="conditional moves", scope=ApiScope.PLAY, answers=Done)
def drop(number: int) -> Done:
    """Delete the plan."""

    def cancel(db: Session, player: Player, now: datetime) -> None:
        plan_commands.cancel(db, player, now=now)

    for_player(number, cancel)
    return Done(sentence=_("Your plan has been dropped."))


def _plan(view: PlanView) -> Plan:
    return Plan(
        status=view.status,
        lines=list(view.lines),
        is_armed=view.is_armed,
        can_resume=view.can_resume,
        changes=list(view.changes),
    )
