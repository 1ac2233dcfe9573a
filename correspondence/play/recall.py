"""Recalling (unsending) a remark before anyone has read it.

A remark waits in the outbox for a few minutes. Its author can recall it until its letter has left, another letter has
delivered it, or a page has shown it. If something is hidden in the game, no page shows it before its letter leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import (
    Audience,
    EventKind,
    Letter,
    LetterState,
    Match,
    Offer,
    OfferKind,
    OfferState,
    Player,
    Remark,
)
from correspondence.models.loading import MatchError, locked, players_of
from correspondence.outbound import events, kinds
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.play import game_letters
from engines.wording import _

_NOT_LEFT = (LetterState.QUEUED, LetterState.HELD, LetterState.MERGED)
"""States of letters that have not left."""


def recallable(session: Session, player: Player, *, now: datetime) -> tuple[Remark, ...]:
    """Return a player's remarks in this game that can still be recalled, oldest first."""
    if db.is_absent(session, Remark, player.match_id, player.person_id):
        return ()
    query = select(Remark).where(
        col(Remark.match_id) == player.match_id,
        col(Remark.person_id) == player.person_id,
        col(Remark.audience) != Audience.ME,
        col(Remark.at) > now - MERGE_WINDOW,
    )
    waiting = session.exec(query.order_by(col(Remark.id))).all()
    if not waiting:
        return ()
    others = [other for other in players_of(session, player.match_id) if other.id != player.id]
    shown_id = max((other.shown_remark for other in others), default=0)
    sent_ids = {
        remark_id
        for letter in _remark_letters(session, player.match_id)
        if _has_left(letter)
        for remark_id in _remark_ids_in(letter)
    }
    return tuple(remark for remark in waiting if remark.id > shown_id and remark.id not in sent_ids)


def recall(session: Session, player: Player, *, now: datetime) -> str:
    """Recall a player's last waiting remark, and return its text; letters tell earlier ones again without it.

    Raises MatchError if none can be recalled.
    """
    match = locked(session, player.match_id)
    player = next(one for one in players_of(session, match.id) if one.id == player.id)
    remarks = recallable(session, player, now=now)
    if not remarks:
        raise MatchError(_("Everything you said in this game has already been sent, and can no longer be unsent."))
    *earlier, last = remarks
    text, waiting_ids = last.text, {remark.id for remark in remarks}
    dropped = [letter for letter in _remark_letters(session, match.id) if waiting_ids & set(_remark_ids_in(letter))]
    events.forget(session, EventKind.TALK, match.id, {last.id})
    for row in (*dropped, last):
        session.delete(row)
    session.flush()
    if dropped:
        _offer_again(session, match, player, now)
    for remark in earlier:
        game_letters.talk(session, match, player, remark, now=remark.at)
    return text


def _remark_letters(session: Session, match_id: int) -> Sequence[Letter]:
    """Return the letters of a game that contain remarks, locked until the transaction ends."""
    query = select(Letter).where(col(Letter.match_id) == match_id, col(Letter.remarks) != "")
    return session.exec(query.with_for_update()).all()


def _remark_ids_in(letter: Letter) -> list[int]:
    return [int(number) for number in letter.remarks.split()]


def _has_left(letter: Letter) -> bool:
    return not kind_of(letter).is_mergeable or letter.state not in _NOT_LEFT or letter.tries > 0


def _offer_again(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Announce a player's draw offer in its own letter if it was merged into a recalled one."""
    offers = select(Offer).where(col(Offer.match_id) == match.id, col(Offer.state) == OfferState.OPEN)
    own_draw = offers.where(col(Offer.seat) == player.seat, col(Offer.kind) == OfferKind.DRAW)
    draw_letters = select(Letter).where(col(Letter.match_id) == match.id, col(Letter.kind) == kinds.DRAW_OFFERED.name)
    merged = session.exec(
        draw_letters.where(col(Letter.state) == LetterState.MERGED, col(Letter.ply) == match.ply)
    ).all()
    offer = session.exec(own_draw).first()
    if offer is None or match.ended_at is not None:
        return
    for letter in merged:
        session.delete(letter)
    session.flush()
    game_letters.offered(session, match, player, offer, now=now)
