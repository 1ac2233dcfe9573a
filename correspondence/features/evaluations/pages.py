"""The robot's evaluation on the analysis board: asked for by members, shown to those who may see the board."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.features.evaluations import evaluations
from correspondence.features.evaluations.evaluations import EvaluationView
from correspondence.models import Match, Person
from correspondence.models.loading import MatchError
from correspondence.play.analysis import AnalysisBoard
from correspondence.web import analysis, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text, number
from engines.base import CHANCE

bp = Blueprint("evaluations", __name__, template_folder="templates/web")


@dataclass(frozen=True, slots=True)
class EvaluationPanel:
    """What the analysis board says about a position: the evaluation, if the owner of the board asked for it."""

    evaluation: EvaluationView | None


def content_of(session: Session, match: Match, board: AnalysisBoard, owner_id: int | None) -> EvaluationPanel | None:
    """Return the panel for a position of a board; None if it cannot be evaluated."""
    try:
        evaluations.must_be_possible(match)
    except MatchError:
        return None
    if board.seat is None or board.seat == CHANCE:
        return None
    line = evaluations.line_of(board)
    made = evaluations.evaluation_of(session, match, owner_id, board.ply, line) if owner_id is not None else None
    return EvaluationPanel(made)


@bp.post("/games/<number:match>/<number:ply>/try/evaluate")
def ask(match: int, ply: int) -> ResponseReturnValue:
    """Ask a robot to evaluate the position after a tried move, or in the game; a refusal is shown on the board."""
    throttle.hit(throttle.ACT)
    member, at, runtime = session.require_member(), number(form_text("at", 12)), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            evaluations.ask(db, db.get_one(Person, member.id), match, ply, at, now=runtime.now())
    except MatchError as error:
        return analysis.page(match, ply, at, refused=error)
    return redirect(url_for("analysis.show", match=match, ply=ply, at=at, _anchor="evaluation"), 303)
