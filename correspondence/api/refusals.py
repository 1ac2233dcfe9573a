"""Refusals of moves and of acts in a match, as problems."""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from correspondence.api.calls import bp
from correspondence.models.loading import MatchError
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.matches import StaleMove
from correspondence.play.talk_guard import DisclosureError, DoubtfulTextError
from correspondence.web.errors import problem
from engines.base import AmbiguousMove, IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.wording import _

_KINDS = (
    (StaleMove, "stale"),
    (UnfinishedMove, "unfinished"),
    (AmbiguousMove, "ambiguous"),
    (NotationError, "notation"),
    (IllegalMove, "illegal"),
)
"""The kind of a refused move in a problem, so that programs need not parse sentences."""


@bp.errorhandler(MoveError)
def _move_refused(error: MoveError) -> ResponseReturnValue:
    kind = next((kind for errors, kind in _KINDS if isinstance(error, errors)), "illegal")
    code = 409 if kind == "stale" else 422
    return problem(code, _("That cannot be done"), str(error), kind=kind, suggestions=list(error.suggestions[:12]))


@bp.errorhandler(MatchError)
def _match_refused(error: MatchError) -> ResponseReturnValue:
    code = 422 if isinstance(error, (PlanError, DisclosureError)) else 409
    more = {"kind": "doubtful"} if isinstance(error, DoubtfulTextError) else {}
    return problem(code, _("That cannot be done"), str(error), **more)
