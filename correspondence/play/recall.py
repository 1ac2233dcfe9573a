"""Taking back what was said before anybody read it, as if it had never been written.

Words wait in the outbox for a few minutes. Until their letter has left, another letter has told them, or a page has
shown them, whoever said them can recall them; where something is hidden in the game, no page shows them before.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.models import Audience, Letter, LetterState, Match, Offer, OfferKind, OfferState, Player, Remark
from correspondence.models.loading import MatchError, locked, players_of
from correspondence.outbound import coalescing
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.play import game_letters
from engines.wording import _

_STILL = (LetterState.QUEUED, LetterState.HELD, LetterState.TOLD)
"""The states of letters that have not left."""


def recallable(session: Session, player: Player, *, now: datetime) -> tuple[Remark, ...]:
    """What a player said in his match and can recall, oldest first."""
    said = select(Remark).where(
        col(Remark.match_id) == player.match_id,
        col(Remark.person_id) == player.person_id,
        col(Remark.audience) != Audience.ME,
        col(Remark.at) > now - MERGE_WINDOW,
    )
    waiting = session.exec(said.order_by(col(Remark.id))).all()
    if not waiting:
        return ()
    others = [other for other in players_of(session, player.match_id) if other.id != player.id]
    shown = max((other.shown_remark for other in others), default=0)
    gone = {number for letter in _telling(session, player.match_id) if _has_left(letter) for number in _told_in(letter)}
    return tuple(remark for remark in waiting if remark.id > shown and remark.id not in gone)


def recall(session: Session, player: Player, *, now: datetime) -> str:
    """Take back all that a player said and that still waits; returns the words. Raises MatchError where none does."""
    match = locked(session, player.match_id)
    player = next(seated for seated in players_of(session, match.id) if seated.id == player.id)
    remarks = recallable(session, player, now=now)
    if not remarks:
        raise MatchError(
            _("Nothing that you said in this game still waits to leave, and what has left cannot be recalled.")
        )
    words = "\n".join(remark.text for remark in remarks)
    numbers = {remark.id for remark in remarks}
    dropped = [letter for letter in _telling(session, match.id) if numbers & set(_told_in(letter))]
    for row in (*dropped, *remarks):
        session.delete(row)
    session.flush()
    if dropped:
        _offer_again(session, match, player, now)
    return words


def _telling(session: Session, match_id: int) -> Sequence[Letter]:
    """The letters of a match that pass words on, held until the transaction ends."""
    found = select(Letter).where(col(Letter.match_id) == match_id, col(Letter.remarks) != "")
    return session.exec(found.with_for_update()).all()


def _told_in(letter: Letter) -> list[int]:
    return [int(number) for number in letter.remarks.split()]


def _has_left(letter: Letter) -> bool:
    return letter.kind not in coalescing.MERGEABLE or letter.state not in _STILL or letter.tries > 0


def _offer_again(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Tell of the draw that a player offers by itself, where a letter that is gone told it together with his words."""
    offers = select(Offer).where(col(Offer.match_id) == match.id, col(Offer.state) == OfferState.OPEN)
    mine = offers.where(col(Offer.seat) == player.seat, col(Offer.kind) == OfferKind.DRAW)
    told = select(Letter).where(col(Letter.match_id) == match.id, col(Letter.kind) == "draw_offered")
    merged = session.exec(told.where(col(Letter.state) == LetterState.TOLD, col(Letter.ply) == match.ply)).all()
    if session.exec(mine).first() is None or match.ended_at is not None:
        return
    for letter in merged:
        session.delete(letter)
    session.flush()
    game_letters.draw_offered(session, match, player, now=now)
