"""Time for players whom letters do not reach: nobody loses on time because of a bounce."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence import clock, match_letters
from correspondence.models import Match, Player
from correspondence.suppressions import unreachable

RESPITE = timedelta(days=7)
"""By how much the deadline of an unreachable player is put off."""

RESPITES = 3
"""How often that happens to a player in one match."""


def put_off(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Give those of the late players who cannot be reached more time, and tell the others; returns the rest."""
    cut_off = unreachable(session, [player.person_id for player in late])
    spared = [p for p in late if p.person_id in cut_off and p.put_off < RESPITES and p.since is not None]
    for player in spared:
        assert player.since is not None
        until = max(clock.deadline_of(player.since, timedelta(seconds=player.bank)), now) + RESPITE
        player.bank = int((until - player.since).total_seconds())
        player.put_off += 1
        session.add(player)
        session.flush()
        match_letters.put_off(session, match, player, until, now=now)
    return [player for player in late if player not in spared]
