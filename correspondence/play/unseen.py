"""What is new in a game: how far a player has looked, and the version by which an open page notices changes."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.accounts.relations import muted_ids
from correspondence.models import Letter, Match, Player, Remark
from correspondence.models.loading import players_of
from correspondence.outbound.kinds import kind_of
from correspondence.play.chat import count_visible, remark_id_of
from correspondence.play.matches import open_offer


def mark_seen(session: Session, player: Player, ply: int, *, remark: int = 0, now: datetime) -> None:
    """Note that a page showed the player the game after `ply` moves, and the chat up to a remark.

    `remark` is that remark's public number, 0 for none. The marks never go back.
    """
    match = session.get_one(Match, player.match_id)
    remark_id = remark_id_of(session, player, remark, now=now) if remark else 0
    query = select(func.min(Remark.id)).where(
        col(Remark.match_id) == match.id, col(Remark.person_id) != player.person_id, col(Remark.opens_at) > now
    )
    first_waiting = session.exec(query).one() if remark_id else None
    remark_id = (
        remark_id if first_waiting is None else min(remark_id, first_waiting - 1)
    )  # no page has shown what waits
    player.shown_ply = max(player.shown_ply, min(ply, match.ply))
    player.seen_ply = max(player.seen_ply, player.shown_ply)
    player.shown_remark = max(player.shown_remark, remark_id)
    session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a page already showed everything that a letter tells its reader.

    Always False for reminders and results, which are sent anyway. Only what this game's page showed counts: the player
    may have looked at another game.
    """
    if kind_of(letter).is_on_page:
        return letter.ply is not None and letter.ply <= player.shown_ply
    remark_ids = [int(number) for number in letter.remarks.split()]
    return kind_of(letter).is_talk and bool(remark_ids) and max(remark_ids) <= player.shown_remark


def page_version(
    session: Session, match: Match, person_id: int | None, *, is_player: bool, now: datetime | None
) -> str:
    """A short hash of everything that may change on this viewer's page of a game.

    Nothing that the viewer may not read goes into it.
    """
    muted = muted_ids(session, players_of(session, match.id), person_id)
    chat_state = count_visible(session, match.id, person_id, muted, is_player=is_player, now=now)
    offer = open_offer(session, match) if is_player else None
    offer_state = (offer.seat, offer.ply, offer.at) if offer else None
    state = (match.ply, match.ended_at, match.deadline, *chat_state, offer_state)
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def page_state(session: Session, number: int, person_id: int | None, *, now: datetime) -> tuple[str, int, bool] | None:
    """The page version of a game, its number of moves, and whether it is over; None where there is no game.

    An open page polls this.
    """
    match = session.get(Match, number)
    if match is None:
        return None
    is_player = any(player.person_id == person_id for player in players_of(session, number))
    return page_version(session, match, person_id, is_player=is_player, now=now), match.ply, match.ended_at is not None
