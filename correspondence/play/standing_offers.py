"""Open offers in a game: public numbers, which one an answer refers to, and how they end.

An answer names its offer by number or by the letter that mentioned it. An answer to an ended offer is refused, so that
it never becomes an offer of the writer's own.
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
    """What the writer saw when they offered or answered: an offer, a position, or a letter."""

    offer: int | None = None
    """The public number of the offer that is answered."""
    ply: int | None = None
    """The number of entries on the page or in the API response."""
    takebacks: int | None = None
    """The number of take-backs there."""
    told_at: datetime | None = None
    """The time at which the answered letter was written."""

    @property
    def is_of_a_moment(self) -> bool:
        """Whether the request names the position or letter that the writer saw."""
        return self.ply is not None or self.takebacks is not None or self.told_at is not None


NOTHING_SEEN = Seen()
"""For requests that name nothing: older programs, and mails that answer no letter."""


def number_of(offer: Offer) -> int:
    """Return the public number of an offer, which reveals nothing about other games' offers."""
    at = offer.at.astimezone(UTC).isoformat()
    return public_numbers([f"offer {offer.match_id} {offer.seat} {offer.kind} {at}"])[0]


def answered(session: Session, match: Match, player: Player, kind: OfferKind, seen: Seen) -> Offer | None:
    """Return the opponent's open offer that a request answers; None if it makes a new offer.

    Raises MatchError if the answered offer has ended, or the named position is no longer current.
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
    """Return the open offer that the writer names; None if they name none. Raises MatchError."""
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
    """Return the opponent's offers that were open at a time, latest last, even if ended since."""
    return [offer for kind in OfferKind for offer in _of_opponent(session, player, kind) if _stood(offer, at)]


def some_told_must_stand(session: Session, player: Player, at: datetime) -> None:
    """Raise MatchError if a letter written at this time mentioned offers and all have ended."""
    offers = told(session, player, at)
    if offers and not any(offer.state == OfferState.OPEN for offer in offers):
        raise _gone(offers[-1].state)


def own(session: Session, player: Player, kind: OfferKind) -> Offer | None:
    """Return the player's own open offer of this kind, or None."""
    return next((o for o in open_offers(session, player.match_id) if o.kind == kind and o.seat == player.seat), None)


def close(session: Session, offer: Offer, state: OfferState, now: datetime) -> None:
    """End an offer, and strike it from unsent letters."""
    offer.state, offer.closed_at = state, now
    session.add(offer)
    session.flush()
    offered_words.strike(session, offer)


def declined(session: Session, match: Match, player: Player) -> list[OfferKind]:
    """Return the kinds of the player's offers declined since the last entry of the game."""
    if db.is_absent(session, Offer, match.id):
        return []
    return [offer.kind for offer in _ended_since(session, match, OfferState.DECLINED) if offer.seat == player.seat]


def _standing(session: Session, player: Player, kind: OfferKind) -> Offer | None:
    return next((o for o in open_offers(session, player.match_id) if o.kind == kind and o.seat != player.seat), None)


def _stood(offer: Offer, at: datetime | None) -> bool:
    """Whether an offer was open at a time, so that a letter written then mentioned it."""
    if at is None or offer.at > at:
        return False
    return offer.state == OfferState.OPEN or (offer.closed_at is not None and offer.closed_at > at)


def _of_opponent(session: Session, player: Player, kind: OfferKind) -> list[Offer]:
    """Return all offers of this kind to a player, latest last."""
    query = select(Offer).where(col(Offer.match_id) == player.match_id, col(Offer.kind) == kind)
    return list(session.exec(query.where(col(Offer.seat) != player.seat).order_by(col(Offer.id))))


def _gone(state: OfferState) -> MatchError:
    """Explain what happened to an offer that is answered too late."""
    sentences = {
        OfferState.TAKEN: _("You have already agreed to that; nothing more was done."),
        OfferState.DECLINED: _("You have already declined that. You can make an offer of your own."),
        OfferState.WITHDRAWN: _("Your opponent has withdrawn that offer. You can make one of your own."),
    }
    return MatchError(sentences.get(state) or _("That offer has lapsed. You can make one of your own."))


def _must_be_now(session: Session, match: Match, player: Player, seen: Seen) -> None:
    """Raise MatchError if an offer was meant for an earlier position of the game."""
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
    """Raise MatchError if a request that names nothing may answer an offer that has just ended."""
    ends = (OfferState.LAPSED, OfferState.WITHDRAWN) + ((OfferState.TAKEN,) if kind == OfferKind.TAKEBACK else ())
    late = [o for o in _ended_since(session, match, *ends) if o.kind == kind and o.seat != player.seat]
    if late:
        raise _gone(late[-1].state)


def _ended_since(session: Session, match: Match, *states: OfferState) -> list[Offer]:
    """Return the offers that ended in these states since the last entry, latest last."""
    moves = moves_of(session, match.id)
    since = moves[-1].at if moves else match.started_at
    query = select(Offer).where(col(Offer.match_id) == match.id, col(Offer.state).in_(states))
    return list(session.exec(query.where(col(Offer.closed_at) >= since).order_by(col(Offer.id))))
