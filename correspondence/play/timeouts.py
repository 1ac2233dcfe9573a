"""Running out of time: who loses, who may claim, and which games are called off.

A game in which a player never moved is called off under any time control. Under the automatic policy the late player
loses, unless the winner has chosen not to win on time: then the game is called off and counts for nobody. Under the
other policies the late player is only flagged, and a late move is valid until the win is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.clocks.vacations import has_begun
from correspondence.core.time_control import GRACE, Policy
from correspondence.models import PLAYING, Match, Player
from correspondence.models.loading import FORGOTTEN, UNBEGUN, UNWANTED, persons_of, players_of
from correspondence.play import game_letters
from engines.verification.record_text import TIME


class TimeoutResult(NamedTuple):
    """How a game ends on time; the result is `*` if it is called off."""

    result: str
    reason: str


def timeout_result(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> TimeoutResult | None:
    """Return the result now that these players are late; None if the game continues."""
    if any(is_forgotten(player, now) for player in turns.running(session, match)):
        return TimeoutResult(PLAYING, FORGOTTEN)
    if not late:
        return None
    if not has_begun(session, match):
        return TimeoutResult(PLAYING, UNBEGUN)
    if match.policy != Policy.AUTOMATIC:
        return None
    return result_on_time(session, match, late)


def result_on_time(session: Session, match: Match, late: Sequence[Player]) -> TimeoutResult:
    """Return the result if these players lose on time."""
    if len(late) > 1:
        return TimeoutResult("1/2-1/2", TIME)
    winners = [player for player in players_of(session, match.id) if player.id != late[0].id]
    if any(person.refuses_time_wins for person in persons_of(session, winners)):
        return TimeoutResult(PLAYING, UNWANTED)
    return TimeoutResult("0-1" if late[0].seat == 0 else "1-0", TIME)


def is_forgotten(player: Player, now: datetime) -> bool:
    """Whether a player's time ran out so long ago that the game is called off."""
    return player.flagged_at is not None and player.flagged_at + turns.FORGOTTEN <= now


def note_flag(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> None:
    """Store these players' timeouts in a game that continues, and write to all players."""
    for player in late:
        player.flagged_at = player.deadline
        session.add(player)
        session.flush()
        game_letters.flag_fell(session, match, player, claimable_at(match, player), now=now)


def claimable_at(match: Match, late: Player) -> datetime | None:
    """Return when the opponent of a late player may claim the win; None if not flagged."""
    return None if late.flagged_at is None else late.flagged_at + GRACE[match.policy]
