"""Extra time for players unreachable by mail because of a bounce or our mail server."""

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
"""Time added to the deadline of an unreachable player."""

MOST_EXTENSIONS = 3
"""Maximum number of extensions for a player in one game."""

_STOPPED = select(ClockStop.id).where(
    col(ClockStop.player_id) == bindparam("player"),
    col(ClockStop.cause) == Cause.EXTENSION,
    col(ClockStop.begins_at) <= bindparam("since"),
    col(ClockStop.ends_at) >= bindparam("left_at"),
)
"""Query for an extension covering the time from a turn's start until its letter left."""


def extend_unreachable(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Extend the deadlines of late players who are unreachable, and notify the others.

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
    """Restart the clocks of late players whose turn letter was held up, and notify the others.

    The clock starts when the letter left, or now if it has not left. A player who has seen the position on its page
    needs no letter. Returns the remaining late players.
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
    """Return when a player could first know of their turn; None if no time is due for the delay."""
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
    """Stop a player's clock from `begins` to `ends`, and notify the others."""
    stop = ClockStop(
        match_id=match.id, player_id=player.id, cause=Cause.EXTENSION, begins_at=begins, ends_at=ends
    )  # fmt: skip
    session.add(stop)
    player.extensions += 1
    session.flush()
    turns.retime(session, player, now)
    assert player.deadline is not None
    game_letters.put_off(session, match, player, player.deadline, now=now)
