"""Acting for a program's member: their seat, a transaction, and refusals as problems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlmodel import Session
from werkzeug.exceptions import Forbidden, NotFound

from correspondence.api.access import member
from correspondence.api.calls import ResponseBody
from correspondence.core.db import transaction
from correspondence.models import Match, Person, Player
from correspondence.play import puzzles
from correspondence.queries.queries import player_of
from correspondence.web.current import current_runtime

Result = TypeVar("Result")


class Done(ResponseBody):
    """The outcome, as the sentence that a page would show."""

    sentence: str


def for_member(act: Callable[[Session, Person, datetime], Result]) -> Result:
    """Run a use case for the member, in its own transaction."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        return act(db, db.get_one(Person, member().id), runtime.now())


def for_player(number: int, act: Callable[[Session, Player, datetime], Result]) -> Result:
    """Run a use case for the member's seat in a game; raises NotFound or Forbidden."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        return act(db, own_player(db, number), runtime.now())


def own_player(db: Session, number: int) -> Player:
    """The member's seat in a game.

    Raises NotFound if they may not see the game, Forbidden if they do not play in it.
    """
    match = db.get(Match, number)
    if match is None or not puzzles.may_see(db, match, member().id):
        raise NotFound
    player = player_of(db, number, member().id)
    if player is None:
        raise Forbidden
    return player
