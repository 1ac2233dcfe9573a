"""When time has run out in a game that does not end by itself: claim the win, or ask the opponent to move."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.models import Match, Player
from correspondence.models.loading import locked, must_go_on
from correspondence.play import game_end, game_letters, timeouts
from correspondence.play.matches import MatchError
from engines.wording import _


def claim(session: Session, player: Player, *, now: datetime) -> Match:
    """End the game because the opponent's time ran out long enough ago. Raises MatchError.

    If the claimant has chosen not to win on time, claiming calls the game off instead, and it counts for nobody.
    """
    match = locked(session, player.match_id)
    late = _late(session, match, player)
    claimable_at = max(at for opponent in late if (at := timeouts.claimable_at(match, opponent)) is not None)
    if claimable_at > now:
        raise MatchError(
            _("Your opponent has a little longer: you can claim the win in {hours} hours.").format(
                hours=-(-int((claimable_at - now).total_seconds()) // 3600)
            )
        )
    ending = timeouts.result_on_time(session, match, late)
    game_end.end_by_service(session, match, ending.result, ending.reason, now=now)
    return match


def nudge(session: Session, player: Player, *, now: datetime) -> None:
    """Ask the opponent by letter to move because their time has run out; at most once a day. Raises MatchError."""
    match = locked(session, player.match_id)
    for opponent in _late(session, match, player):
        game_letters.nudge(session, match, opponent, now=now)


def _late(session: Session, match: Match, player: Player) -> list[Player]:
    """The opponents whose time has run out; raises MatchError where there are none or the player is late too."""
    must_go_on(match)
    late = [other for other in turns.running(session, match) if other.flagged_at is not None]
    if any(other.id == player.id for other in late):
        raise MatchError(_("Your own time has run out: please move first."))
    if not late:
        raise MatchError(_("Your opponent's time has not run out, or the game ends by itself when it does."))
    return late
