"""Duplicate offers: identical open offers, and repeats just after the game began."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select

from correspondence.models import Match, Seek, SeekState
from correspondence.models.matchmaking import OLDEST_FIRST

REPEATED_WITHIN = timedelta(minutes=1)
"""Time within which a repeated offer counts as a second click or a duplicate mail."""

_SAME = (
    "opponent_id", "seat", "is_private", "invited", "games_wanted", "games_at_once", "rating_low", "rating_high", "reliability",
    "rest_days", "language", "pair_me", "any_options", "robots", "after_match_id",
)  # fmt: skip
"""The fields that two offers of one person must share to be duplicates, besides the terms."""


def identical_open_seek(session: Session, offer: Seek, *, now: datetime) -> Seek | None:
    """Return the same person's open offer that is identical to this new one, or None."""
    query = select(Seek).where(col(Seek.person_id) == offer.person_id, col(Seek.state) == SeekState.OPEN)
    query = query.where(or_(col(Seek.expires_at).is_(None), col(Seek.expires_at) > now), Seek.has_terms(offer.terms))
    for name in _SAME:
        column, value = getattr(Seek, name), getattr(offer, name)
        query = query.where(column.is_(None) if value is None else column == value)
    return session.exec(query.order_by(*OLDEST_FIRST)).first()


def repeated_offer(session: Session, offer: Seek, *, now: datetime) -> Seek | None:
    """Return the same person's identical recent offer whose game is in play, or None.

    The new offer is only a repeat of it.
    """
    query = select(Seek).join(Match, col(Match.id) == col(Seek.match_id))
    query = query.where(col(Seek.person_id) == offer.person_id, col(Seek.state) == SeekState.TAKEN)
    query = query.where(col(Seek.created_at) > now - REPEATED_WITHIN, col(Seek.words) == offer.words)
    query = query.where(Seek.has_terms(offer.terms), col(Match.ended_at).is_(None))
    for name in _SAME:
        column, value = getattr(Seek, name), getattr(offer, name)
        if name != "games_wanted":  # counted down by each game
            query = query.where(column.is_(None) if value is None else column == value)
    return session.exec(query.order_by(col(Seek.created_at).desc())).first()
