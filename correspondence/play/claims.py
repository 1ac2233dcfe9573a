"""Claiming a win on time, or nudging the opponent, in games that do not end on time alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import unread_mail
from correspondence.clocks import turns
from correspondence.core.i18n import moment
from correspondence.models import Match, Player
from correspondence.models.loading import locked, must_go_on, person_of
from correspondence.play import game_end, game_letters, timeouts
from correspondence.play.matches import MatchError
from engines.wording import _


def claim(session: Session, player: Player, *, now: datetime, received_at: datetime | None = None) -> Match:
    """End the game because the opponent's time ran out long enough ago.

    If the claimant has chosen not to win on time, the claim calls the game off, and it counts for nobody. A claim is refused
    while a pause or an absence stops the clock. It also waits until the opponent's mail from before `received_at`
    (default: now) is read. `received_at` is when the mail with the claim came. Raises MatchError if the win cannot be
    claimed yet.
    """
    match = locked(session, player.match_id)
    late = _late(session, match, player)
    _must_run(session, player, late, now)
    if unread_mail.waits_from(session, [other.person_id for other in late], before=received_at or now):
        raise MatchError(
            _("Mail that came before your claim is still being read. Please claim again in a few minutes.")
        )
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
    """Remind a late opponent by letter, at most once a day. Raises MatchError."""
    match = locked(session, player.match_id)
    for opponent in _late(session, match, player):
        game_letters.nudge(session, match, opponent, now=now)


def _must_run(session: Session, player: Player, late: Sequence[Player], now: datetime) -> None:
    """Raise MatchError if a late opponent's clock is stopped now."""
    ends = [until for opponent in late if (until := turns.stopped_until(session, opponent, now)) is not None]
    if ends:
        reader = person_of(session, player)
        when = moment(max(ends), reader.zone, reader.language)
        raise MatchError(_("The clock is stopped until {when}. You can claim the win after that.").format(when=when))


def _late(session: Session, match: Match, player: Player) -> list[Player]:
    """Return the late opponents; raise MatchError if there are none or the player is late."""
    must_go_on(match)
    late = [other for other in turns.running(session, match) if other.flagged_at is not None]
    if any(other.id == player.id for other in late):
        raise MatchError(_("Your own time has run out: please move first."))
    if not late:
        raise MatchError(_("Your opponent's time has not run out, or the game ends by itself when it does."))
    return late
