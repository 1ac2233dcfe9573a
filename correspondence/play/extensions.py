"""Extra time for players whom mail does not reach: nobody loses on time because of a bounce, or of our mail server."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.clocks import turns
from correspondence.core import db
from correspondence.models import Cause, ClockStop, Match, Player
from correspondence.outbound import held_up
from correspondence.outbound.suppressions import unreachable
from correspondence.play import game_letters

EXTENSION = timedelta(days=7)
"""By how much the deadline of an unreachable player is extended."""

MOST_EXTENSIONS = 3
"""How often that happens to a player in one game."""

_STOPPED = select(ClockStop.id).where(
    col(ClockStop.player_id) == bindparam("player"),
    col(ClockStop.cause) == Cause.EXTENSION,
    col(ClockStop.begins_at) <= bindparam("since"),
    col(ClockStop.ends_at) >= bindparam("left_at"),
)
"""What gave a player the time between the beginning of their turn and when its letter left."""


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
        _stop_clock(session, match, player, player.deadline, max(player.deadline, now) + EXTENSION, now)
    return [player for player in late if player not in extended]


def begin_anew(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Let the time of those late players begin anew whose letter about this turn could not leave, and tell the others.

    It begins now, or when the letter left at last. Who has seen the position on its page needs no letter. Returns the
    remaining late players.
    """
    remaining = []
    for player in late:
        begins = _begins_anew(session, match, player, now) if player.extensions < MOST_EXTENSIONS else None
        if begins is None or player.since is None:
            remaining.append(player)
        else:
            _stop_clock(session, match, player, player.since, begins, now)
    return remaining


def _begins_anew(session: Session, match: Match, player: Player, now: datetime) -> datetime | None:
    """From when on a player can have known of their turn; None where no time is to be given for that (any more)."""
    if player.since is None or player.shown_ply >= match.ply:
        return None
    letters = held_up.late_letters(session, match.id, now=now)
    if player.id in letters.held_up:
        return now
    left_at = letters.left_at.get(player.id)
    if left_at is None or db.value(session, _STOPPED, player=player.id, since=player.since, left_at=left_at):
        return None
    return left_at


def _stop_clock(
    session: Session, match: Match, player: Player, begins: datetime, ends: datetime, now: datetime
) -> None:
    """Let no time count for a player from one moment to another, and write that to the others."""
    stop = ClockStop(
        match_id=match.id, player_id=player.id, cause=Cause.EXTENSION, begins_at=begins, ends_at=ends
    )  # fmt: skip
    session.add(stop)
    player.extensions += 1
    session.flush()
    turns.retime(session, player, now)
    assert player.deadline is not None
    game_letters.put_off(session, match, player, player.deadline, now=now)
