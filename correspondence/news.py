"""What is new in a match: how far a player has looked, and the pulse by which an open page notices news."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.matches import open_offer
from correspondence.models import Match, Player, Remark
from correspondence.talk import readable


def mark_seen(session: Session, player: Player, ply: int, *, now: datetime) -> None:
    """Note that the player was shown the match after `ply` entries; what was seen is never unseen again."""
    match = session.get_one(Match, player.match_id)
    player.seen_ply = max(player.seen_ply, min(ply, match.ply))
    session.add(player)


def pulse_of(session: Session, match: Match, person_id: int | None, *, is_player: bool) -> str:
    """A short mark of all that may change on this viewer's page of a match; by nothing that he may not read."""
    said = select(func.count(col(Remark.id)), func.max(col(Remark.id)))
    said = said.where(col(Remark.match_id) == match.id, readable(person_id, is_player=is_player))
    offer = open_offer(session, match) if is_player else None
    told = (match.ply, match.ended_at, match.deadline, *session.exec(said).one(), offer.id if offer else None)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def pulse(session: Session, number: int, person_id: int | None) -> tuple[str, int, bool] | None:
    """The pulse of a match, how many entries it has, and whether it is over: what an open page asks now and then."""
    match = session.get(Match, number)
    if match is None:
        return None
    seat = select(Player.id).where(col(Player.match_id) == number, col(Player.person_id) == person_id)
    is_player = session.exec(seat).first() is not None
    return pulse_of(session, match, person_id, is_player=is_player), match.ply, match.ended_at is not None
