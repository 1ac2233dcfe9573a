"""What is new in a match: how far a player has looked, and the pulse by which an open page notices news."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.accounts.relations import muted_ids
from correspondence.models import Letter, Match, Player, Remark
from correspondence.models.loading import players_of
from correspondence.play.chat import counted, row_called
from correspondence.play.matches import open_offer


def mark_seen(session: Session, player: Player, ply: int, *, remark: int = 0, now: datetime) -> None:
    """Note that a page showed the player the match after `ply` entries, and talk as far as this remark.

    `remark` is its public number. What was seen is never unseen again.
    """
    match = session.get_one(Match, player.match_id)
    called = row_called(session, player, remark, now=now) if remark else 0
    waits = select(func.min(Remark.id)).where(
        col(Remark.match_id) == match.id, col(Remark.person_id) != player.person_id, col(Remark.opens_at) > now
    )
    first = session.exec(waits).one() if called else None
    called = called if first is None else min(called, first - 1)  # no page has shown what waits
    player.shown_ply = max(player.shown_ply, min(ply, match.ply))
    player.seen_ply = max(player.seen_ply, player.shown_ply)
    player.shown_remark = max(player.shown_remark, called)
    session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a letter tells its reader nothing that a page did not show; reminders and results are sent anyway.

    That a player was there at all says nothing: he may have looked at another game.
    """
    if letter.kind in ("turn", "planned"):
        return letter.ply is not None and letter.ply <= player.shown_ply
    said = [int(number) for number in letter.remarks.split()]
    return letter.kind == "talk" and bool(said) and max(said) <= player.shown_remark


def page_version(
    session: Session, match: Match, person_id: int | None, *, is_player: bool, now: datetime | None
) -> str:
    """A short mark of all that may change on this viewer's page of a match; by nothing that he may not read."""
    silent = muted_ids(session, players_of(session, match.id), person_id)
    said = counted(session, match.id, person_id, silent, is_player=is_player, now=now)
    offer = open_offer(session, match) if is_player else None
    on_offer = (offer.seat, offer.ply, offer.at) if offer else None
    told = (match.ply, match.ended_at, match.deadline, *said, on_offer)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def pulse(session: Session, number: int, person_id: int | None, *, now: datetime) -> tuple[str, int, bool] | None:
    """The pulse of a match, how many entries it has, and whether it is over: what an open page asks now and then."""
    match = session.get(Match, number)
    if match is None:
        return None
    is_player = any(player.person_id == person_id for player in players_of(session, number))
    return page_version(session, match, person_id, is_player=is_player, now=now), match.ply, match.ended_at is not None
