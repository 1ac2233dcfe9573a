"""Refuse moves that came after the deadline, before a worker has ended the game."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.clocks import turns, vacations
from correspondence.core.i18n import moment
from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, person_of
from correspondence.play import extensions, timeouts
from engines.wording import _


def must_be_in_time(session: Session, match: Match, player: Player, received_at: datetime) -> None:
    """Raise MatchError if a move was received after the deadline and that ends the game.

    Extra time, such as a day of absence, is used up first, as when a worker finds a late player.
    """
    person, deadline = person_of(session, player), player.deadline
    if deadline is None or deadline > received_at or player.flagged_at is not None or person.robot_level:
        return
    if not turns.is_late(session, player, received_at):
        return
    with session.begin_nested():
        late = extensions.extend_unreachable(session, match, [player], now=received_at)
        late = extensions.begin_anew(session, match, late, now=received_at)
        _extended, late = vacations.spend_absence(session, match, late, now=received_at)
        if late and timeouts.timeout_result(session, match, late, now=received_at) is not None:
            raise MatchError(_too_late(moment(player.deadline or deadline, person.zone, person.language)))


def _too_late(when: str) -> str:
    return _("Your time ran out on {when}, so this move came too late and was not played.").format(when=when)
