"""Doing something for the member of a program: their seat in a game, a transaction, and refusals as problems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import Forbidden, NotFound

from correspondence.api.access import member
from correspondence.api.calls import ResponseBody, bp
from correspondence.core.db import transaction
from correspondence.models import Match, Person, Player
from correspondence.models.loading import MatchError
from correspondence.play import puzzles
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.matches import StaleMove
from correspondence.play.talk_guard import DisclosureError, DoubtfulTextError
from correspondence.queries.queries import player_of
from correspondence.web.current import current_runtime
from correspondence.web.errors import problem
from engines.base import AmbiguousMove, IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.wording import _

Result = TypeVar("Result")

_KINDS = (
    (StaleMove, "stale"),
    (UnfinishedMove, "unfinished"),
    (AmbiguousMove, "ambiguous"),
    (NotationError, "notation"),
    (IllegalMove, "illegal"),
)
"""How a problem names the kind of a refused move, for programs that would rather not read sentences."""


class Done(ResponseBody):
    """What was done, as the sentence that a page would say."""

    sentence: str


def for_member(act: Callable[[Session, Person, datetime], Result]) -> Result:
    """Run a use case for the member, in a transaction of its own."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        return act(db, db.get_one(Person, member().id), runtime.now())


def for_player(number: int, act: Callable[[Session, Player, datetime], Result]) -> Result:
    """Run a use case for the member's seat in a game; raises NotFound or Forbidden."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        return act(db, own_player(db, number), runtime.now())


def own_player(db: Session, number: int) -> Player:
    """The member's seat in a game; raises NotFound where they may not see the game, Forbidden where they only look on."""
    match = db.get(Match, number)
    if match is None or not puzzles.may_see(db, match, member().id):
        raise NotFound
    player = player_of(db, number, member().id)
    if player is None:
        raise Forbidden
    return player


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
