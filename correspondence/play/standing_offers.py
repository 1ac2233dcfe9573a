"""Offers that stand in a game: their public numbers, which of them an answer is about, and how they end.

Whoever answers an offer names it: by its number, or by the letter that told of it. An answer to an offer that has ended
is refused, so that it never becomes an offer of the writer's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.public_numbers import public_numbers
from correspondence.models import LOST, Match, Offer, OfferKind, OfferState, Player, TakenBackMove
from correspondence.models.loading import MatchError, moves_of
from correspondence.play import offered_words
from correspondence.play.record_moves import open_offers
from correspondence.play.stale_moves import awaits_answer, gone_sentence, is_gone, must_name_takebacks
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Seen:
    """What somebody had before them when they offered or answered: an offer, a moment of the game, or a letter."""

    offer: int | None = None
    """The public number of the offer that is answered."""
    ply: int | None = None
    """How many entries the game had on the page, or in the answer to a program."""
    takebacks: int | None = None
    """How often moves had been taken back there."""
    told_at: datetime | None = None
    """When the letter that is answered was written."""

    @property
    def is_of_a_moment(self) -> bool:
        """Whether the writer says at which moment they offer something."""
        return self.ply is not None or self.takebacks is not None or self.told_at is not None


NOTHING_SEEN = Seen()
"""Of a request that names nothing: programs of before, and mails that answer no letter."""


def number_of(offer: Offer) -> int:
    """The public number of an offer, which does not count the offers made elsewhere."""
    at = offer.at.astimezone(UTC).isoformat()
    return public_numbers([f"offer {offer.match_id} {offer.seat} {offer.kind} {at}"])[0]


def answered(session: Session, match: Match, player: Player, kind: OfferKind, seen: Seen) -> Offer | None:
    """The opponent's open offer of this kind that a request answers; None if it is an offer of the player's own.

    Raises MatchError where what it answers has ended, or the moment that it names has passed.
    """
    named = must_stand(session, player, kind, seen)
    if named is not None:
        return named
    standing = _standing(session, player, kind)
    if seen.is_of_a_moment:
        _must_be_now(session, match, player, seen)
        if standing is not None and kind == OfferKind.TAKEBACK:
            raise MatchError(_("Your opponent asks for their own move back. Please agree or decline first."))
    elif standing is None:
        _must_not_be_too_late(session, match, player, kind)
    return standing


def must_stand(session: Session, player: Player, kind: OfferKind, seen: Seen) -> Offer | None:
    """The opponent's offer that the writer names, which must stand; None if they name none. Raises MatchError."""
    if seen.offer is None and seen.told_at is None:
        return None
    offers = _of_opponent(session, player, kind)
    if seen.offer is not None:
        named = next((offer for offer in offers if number_of(offer) == seen.offer), None)
    else:
        named = next((offer for offer in reversed(offers) if _stood(offer, seen.told_at)), None)
    if named is not None and named.state == OfferState.OPEN:
        return named
    if named is not None or seen.offer is not None:
        raise _gone(named.state if named is not None else OfferState.LAPSED)
    return None


def told(session: Session, player: Player, at: datetime) -> list[Offer]:
    """The opponent's offers that stood when a letter was written, whatever became of them, the last one last."""
    return [offer for kind in OfferKind for offer in _of_opponent(session, player, kind) if _stood(offer, at)]


def some_told_must_stand(session: Session, player: Player, at: datetime) -> None:
    """Raise MatchError where a letter written at this moment told of offers, all of which have ended."""
    offers = told(session, player, at)
    if offers and not any(offer.state == OfferState.OPEN for offer in offers):
        raise _gone(offers[-1].state)


def own(session: Session, player: Player, kind: OfferKind) -> Offer | None:
    """The player's own open offer of this kind."""
    return next((o for o in open_offers(session, player.match_id) if o.kind == kind and o.seat == player.seat), None)


def close(session: Session, offer: Offer, state: OfferState, now: datetime) -> None:
    """End an offer."""
    offer.state, offer.closed_at = state, now
    session.add(offer)
    session.flush()
    offered_words.strike(session, offer)


def declined(session: Session, match: Match, player: Player) -> list[OfferKind]:
    """What the others declined of the player's offers since the last entry of the game."""
    if db.is_absent(session, Offer, match.id):
        return []
    return [offer.kind for offer in _ended_since(session, match, OfferState.DECLINED) if offer.seat == player.seat]


def _standing(session: Session, player: Player, kind: OfferKind) -> Offer | None:
    return next((o for o in open_offers(session, player.match_id) if o.kind == kind and o.seat != player.seat), None)


def _stood(offer: Offer, at: datetime | None) -> bool:
    """Whether an offer stood at a moment, so that a letter written then told of it."""
    if at is None or offer.at > at:
        return False
    return offer.state == OfferState.OPEN or (offer.closed_at is not None and offer.closed_at > at)


def _of_opponent(session: Session, player: Player, kind: OfferKind) -> list[Offer]:
    """All offers of this kind to a player, the last one last."""
    query = select(Offer).where(col(Offer.match_id) == player.match_id, col(Offer.kind) == kind)
    return list(session.exec(query.where(col(Offer.seat) != player.seat).order_by(col(Offer.id))))


def _gone(state: OfferState) -> MatchError:
    """Say in one sentence what became of an offer that is answered too late."""
    sentences = {
        OfferState.TAKEN: _("You have agreed to that already; nothing more was done."),
        OfferState.DECLINED: _("You have declined that already. You can make an offer of your own."),
        OfferState.WITHDRAWN: _("Your opponent has withdrawn that offer. You can make one of your own."),
    }
    return MatchError(sentences.get(state) or _("That offer has lapsed. You can make one of your own."))


def _must_be_now(session: Session, match: Match, player: Player, seen: Seen) -> None:
    """Raise MatchError where an offer was meant for an earlier moment of the game."""
    must_name_takebacks(match, seen.ply if seen.ply != LOST else None, seen.takebacks)
    if is_gone(match, seen.ply, seen.takebacks) or _is_taken_back_since(session, match, seen.told_at):
        raise MatchError(gone_sentence(match, seen.ply, seen.takebacks))
    if seen.ply is not None and not awaits_answer(match, player, seen.ply):
        raise MatchError(_("The game has gone on since then; please look at the current position."))


def _is_taken_back_since(session: Session, match: Match, at: datetime | None) -> bool:
    if at is None or not match.takebacks:
        return False
    gone = select(TakenBackMove.id).where(col(TakenBackMove.match_id) == match.id)
    return session.exec(gone.where(col(TakenBackMove.taken_back_at) > at).limit(1)).first() is not None


def _must_not_be_too_late(session: Session, match: Match, player: Player, kind: OfferKind) -> None:
    """Raise MatchError where a request that names nothing may answer an offer that ended at this very moment."""
    ends = (OfferState.LAPSED, OfferState.WITHDRAWN) + ((OfferState.TAKEN,) if kind == OfferKind.TAKEBACK else ())
    late = [o for o in _ended_since(session, match, *ends) if o.kind == kind and o.seat != player.seat]
    if late:
        raise _gone(late[-1].state)


def _ended_since(session: Session, match: Match, *states: OfferState) -> list[Offer]:
    """The offers that ended so since the last entry of the game, the last one last."""
    moves = moves_of(session, match.id)
    since = moves[-1].at if moves else match.started_at
    query = select(Offer).where(col(Offer.match_id) == match.id, col(Offer.state).in_(states))
    return list(session.exec(query.where(col(Offer.closed_at) >= since).order_by(col(Offer.id))))
