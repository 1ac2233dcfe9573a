"""A player whose time has run out of a game that does not end by itself: the win is claimed, or he is asked to move."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.models import Match, Player
from correspondence.models.loading import locked
from correspondence.play import game_end, game_letters, timeouts
from correspondence.play.matches import MatchError
from engines.wording import _


def claim(session: Session, player: Player, *, now: datetime) -> Match:
    """End the match, because the time of the opponent ran out long enough ago. Raises MatchError.

    Somebody who does not win on time calls the game off by claiming: it counts for nobody.
    """
    match = locked(session, player.match_id)
    late = _late(session, match, player)
    due = max(at for one in late if (at := timeouts.claimable_at(match, one)) is not None)
    if due > now:
        raise MatchError(
            _("Your opponent has a little longer: you can claim the win in {hours} hours.").format(
                hours=-(-int((due - now).total_seconds()) // 3600)
            )
        )
    ending = timeouts.on_time(session, match, late)
    game_end.end(session, match, ending.result, ending.reason, now=now)
    return match


def nudge(session: Session, player: Player, *, now: datetime) -> None:
    """Ask the opponent, whose time has run out, by letter to move; once a day at most. Raises MatchError."""
    match = locked(session, player.match_id)
    for one in _late(session, match, player):
        game_letters.nudge(session, match, one, now=now)


def _late(session: Session, match: Match, player: Player) -> list[Player]:
    """The opponents whose time has run out; raises MatchError where there are none, or the player is late himself."""
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))
    late = [one for one in turns.running(session, match) if one.flagged_at is not None]
    if any(one.id == player.id for one in late):
        raise MatchError(_("Your own time has run out: please move first."))
    if not late:
        raise MatchError(_("Your opponent's time has not run out, or the game ends by itself when it does."))
    return late
