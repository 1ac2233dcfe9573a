"""When time has run out: who loses, who may claim, and what is called off.

A game in which somebody never moved is called off whatever its terms say. A game that its terms let end by itself
is lost, unless the winner does not want to win on time: then it is called off, and counts for nobody. Under the
other policies the clock only notes that its flag fell, and the late move is good until the win is claimed.
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
from correspondence.models.loading import FORGOTTEN, TIME, UNBEGUN, UNWANTED, persons_of, players_of
from correspondence.play import game_letters


class Verdict(NamedTuple):
    """How a match ends: `*` where it is called off."""

    result: str
    reason: str


def verdict(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> Verdict | None:
    """How the match ends because these players' time is up; None where it goes on for now."""
    if any(is_forgotten(player, now) for player in turns.running(session, match)):
        return Verdict(PLAYING, FORGOTTEN)
    if not late:
        return None
    if not has_begun(session, match):
        return Verdict(PLAYING, UNBEGUN)
    if match.policy != Policy.AUTOMATIC:
        return None
    return on_time(session, match, late)


def on_time(session: Session, match: Match, late: Sequence[Player]) -> Verdict:
    """How a match ends that these players lose on time."""
    if len(late) > 1:
        return Verdict("1/2-1/2", TIME)
    winners = [player for player in players_of(session, match.id) if player.id != late[0].id]
    if any(person.refuses_time_wins for person in persons_of(session, winners)):
        return Verdict(PLAYING, UNWANTED)
    return Verdict("0-1" if late[0].seat == 0 else "1-0", TIME)


def is_forgotten(player: Player, now: datetime) -> bool:
    """Whether the time of a player ran out so long ago that the game is called off."""
    return player.flagged_at is not None and player.flagged_at + turns.FORGOTTEN <= now


def note(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> None:
    """Note in a match that goes on that the time of these players has run out, and write to everybody."""
    for player in late:
        player.flagged_at = player.deadline
        session.add(player)
        session.flush()
        game_letters.flag_fell(session, match, player, claimable_at(match, player), now=now)


def claimable_at(match: Match, late: Player) -> datetime | None:
    """From when on the opponent of a late player may claim the win; None while the time runs."""
    return None if late.flagged_at is None else late.flagged_at + GRACE[match.policy]
