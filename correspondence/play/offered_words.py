"""Sentences about offers in letters, and striking ended offers from unsent letters."""

from __future__ import annotations

from sqlmodel import Session

from correspondence.core.i18n import in_language
from correspondence.models import Offer, OfferKind
from correspondence.models.loading import person_of, players_of
from correspondence.outbound import hidden_words
from engines.wording import _, ngettext


def offered_words(offer: Offer, opponent: str) -> str:
    """Return a translated sentence that announces an offer; empty for a take-back."""
    if offer.kind == OfferKind.TAKEBACK:
        return ""
    if offer.kind == OfferKind.DRAW:
        return _("{opponent} offers you a draw. Reply with accept or decline, or simply play on.").format(
            opponent=opponent
        )
    return ngettext(
        "{opponent} proposes to stop all clocks of this game for {num} day. Reply with accept or decline, or simply "
        "play on.",
        "{opponent} proposes to stop all clocks of this game for {num} days. Reply with accept or decline, or simply "
        "play on.",
        offer.days,
    ).format(opponent=opponent, num=offer.days)


def strike(session: Session, offer: Offer) -> None:
    """Strike an ended offer from unsent letters that mention it among other news."""
    if offer.kind == OfferKind.TAKEBACK:
        return
    players = players_of(session, offer.match_id)
    handle = next(person_of(session, player).handle for player in players if player.seat == offer.seat)
    for player in players:
        if player.seat != offer.seat:
            reader = person_of(session, player)
            with in_language(reader.language):
                sentence = offered_words(offer, handle)
            hidden_words.strike_from_waiting_letters(session, offer.match_id, reader.id, sentence)
