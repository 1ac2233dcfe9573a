"""Games for one: hints that are real steps of a solution."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.course import position_of
from correspondence.matches import MatchError
from correspondence.models import Match, Player
from engines.duel_puzzle import Puzzle
from engines.duel_solver import hint
from engines.wording import _


def next_step(session: Session, player: Player, *, now: datetime) -> str:
    """The next move of a solution of this player's puzzle, in notation; nothing changes. Raises MatchError."""
    match = session.get_one(Match, player.match_id)
    position = position_of(match)
    if not isinstance(position, Puzzle):
        raise MatchError(_("There are hints for puzzles only."))
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))
    step = hint(position)
    if step is None:
        raise MatchError(_("No step of a solution was found from here."))
    return position.write(player.seat, step)
