"""Time for players whom letters do not reach: nobody loses on time because of a bounce."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.models import Cause, Halt, Match, Player
from correspondence.outbound.suppressions import unreachable
from correspondence.play import game_letters

RESPITE = timedelta(days=7)
"""By how much the deadline of an unreachable player is put off."""

RESPITES = 3
"""How often that happens to a player in one match."""


def put_off(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Stop the clocks of those late players who cannot be reached, and tell the others; returns the rest."""
    cut_off = unreachable(session, [player.person_id for player in late])
    spared = [p for p in late if p.person_id in cut_off and p.put_off < RESPITES and p.deadline is not None]
    for player in spared:
        assert player.deadline is not None
        until = max(player.deadline, now) + RESPITE
        session.add(
            Halt(
                match_id=match.id,
                player_id=player.id,
                cause=Cause.RESPITE,
                begins_at=player.deadline,
                ends_at=until,
            )
        )
        player.put_off += 1
        session.flush()
        turns.retime(session, player)
        game_letters.put_off(session, match, player, player.deadline, now=now)
    return [player for player in late if player not in spared]
