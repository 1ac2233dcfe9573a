"""Extra time for players whom mail does not reach: nobody loses on time because of a bounce."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.models import Cause, ClockStop, Match, Player
from correspondence.outbound.suppressions import unreachable
from correspondence.play import game_letters

EXTENSION = timedelta(days=7)
"""By how much the deadline of an unreachable player is extended."""

MOST_EXTENSIONS = 3
"""How often that happens to a player in one game."""


def extend_unreachable(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Extend the deadlines of those late players who cannot be reached, and tell the others.

    Returns the remaining late players.
    """
    unreachable_ids = unreachable(session, [player.person_id for player in late])
    extended = [
        p for p in late if p.person_id in unreachable_ids and p.extensions < MOST_EXTENSIONS and p.deadline is not None
    ]
    for player in extended:
        assert player.deadline is not None
        until = max(player.deadline, now) + EXTENSION
        session.add(
            ClockStop(
                match_id=match.id,
                player_id=player.id,
                cause=Cause.EXTENSION,
                begins_at=player.deadline,
                ends_at=until,
            )
        )
        player.extensions += 1
        session.flush()
        turns.retime(session, player)
        game_letters.put_off(session, match, player, player.deadline, now=now)
    return [player for player in late if player not in extended]
