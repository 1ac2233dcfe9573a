"""What is new in a match: how far a player has looked, and the pulse by which an open page notices news."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.matches import open_offer
from correspondence.models import Letter, Match, Player, Remark
from correspondence.talk import counted


def mark_seen(session: Session, player: Player, ply: int, *, remark: int = 0, now: datetime) -> None:
    """Note that a page showed the player the match after `ply` entries, and talk as far as the remark of this number.

    What was seen is never unseen again.
    """
    match = session.get_one(Match, player.match_id)
    said = select(func.max(Remark.id)).where(col(Remark.match_id) == match.id, col(Remark.id) <= remark)
    player.shown_ply = max(player.shown_ply, min(ply, match.ply))
    player.seen_ply = max(player.seen_ply, player.shown_ply)
    player.shown_remark = max(player.shown_remark, session.exec(said).one() or 0)
    session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a letter tells its reader nothing that a page did not show; reminders and results are sent anyway.

    That a player was there at all says nothing: he may have looked at another game.
    """
    if letter.kind in ("turn", "planned"):
        return letter.ply is not None and letter.ply <= player.shown_ply
    said = [int(number) for number in letter.remarks.split()]
    return letter.kind == "talk" and bool(said) and max(said) <= player.shown_remark


def pulse_of(session: Session, match: Match, person_id: int | None, *, is_player: bool) -> str:
    """A short mark of all that may change on this viewer's page of a match; by nothing that he may not read."""
    said = counted(session, match.id, person_id, is_player=is_player)
    offer = open_offer(session, match) if is_player else None
    told = (match.ply, match.ended_at, match.deadline, *said, offer.id if offer else None)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def pulse(session: Session, number: int, person_id: int | None) -> tuple[str, int, bool] | None:
    """The pulse of a match, how many entries it has, and whether it is over: what an open page asks now and then."""
    match = session.get(Match, number)
    if match is None:
        return None
    seat = select(Player.id).where(col(Player.match_id) == number, col(Player.person_id) == person_id)
    is_player = session.exec(seat).first() is not None
    return pulse_of(session, match, person_id, is_player=is_player), match.ply, match.ended_at is not None
