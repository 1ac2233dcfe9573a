"""Events of a game for players' programs (see outbound/events.py)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col

from correspondence.models import STALE, Event, EventKind, Match, Offer, OfferKind, Player, Remark
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound import events

_OFFERED = {
    OfferKind.DRAW: EventKind.DRAW_OFFERED,
    OfferKind.TAKEBACK: EventKind.TAKE_BACK_ASKED,
    OfferKind.PAUSE: EventKind.PAUSE_OFFERED,
}


def to_all(session: Session, match: Match, kind: EventKind, *, now: datetime) -> None:
    """Note an event for all players: beginning, end, pause or take-back."""
    _note(session, match, players_of(session, match.id), kind, now=now)


def moved(session: Session, match: Match, count: int, *, now: datetime) -> None:
    """Record events for the last `count` entries, including chance moves."""
    for ply in range(match.ply - count + 1, match.ply + 1):
        _note(session, match, players_of(session, match.id), EventKind.MOVE, about=ply, now=now)


def taken_back(session: Session, match: Match, ply: int) -> None:
    """Mark events of the entries from `ply` on as stale after a take-back."""
    moves = update(Event).where(col(Event.match_id) == match.id, col(Event.kind) == EventKind.MOVE)
    session.execute(moves.where(col(Event.about_id) >= ply).values(about_id=STALE))


def turn(session: Session, match: Match, players: Sequence[Player], *, now: datetime) -> None:
    """Record that the turn of these players began."""
    _note(session, match, players, EventKind.YOUR_TURN, about=match.ply, now=now)


def clock_low(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Record that a player's time is running out, once a turn."""
    _note(session, match, [player], EventKind.CLOCK_LOW, about=match.ply, now=now)


def offered(session: Session, match: Match, offer: Offer, *, now: datetime) -> None:
    """Record that a player made an offer to the others."""
    others = [player for player in players_of(session, match.id) if player.seat != offer.seat]
    _note(session, match, others, _OFFERED[offer.kind], about=offer.id, now=now)


def offer_declined(session: Session, match: Match, offer: Offer, *, now: datetime) -> None:
    """Record that a player's offer was declined."""
    offerers = [player for player in players_of(session, match.id) if player.seat == offer.seat]
    _note(session, match, offerers, EventKind.OFFER_DECLINED, about=offer.id, now=now)


def offer_withdrawn(session: Session, match: Match, offer: Offer, *, now: datetime) -> None:
    """Record that an offer to a player was withdrawn."""
    others = [player for player in players_of(session, match.id) if player.seat != offer.seat]
    _note(session, match, others, EventKind.OFFER_WITHDRAWN, about=offer.id, now=now)


def talk(session: Session, match: Match, speaker: Player, remark: Remark, *, heard_at: datetime, now: datetime) -> None:
    """Note a remark; the others' programs get it when it can no longer be recalled."""
    others = [player for player in players_of(session, match.id) if player.id != speaker.id]
    _note(session, match, others, EventKind.TALK, about=remark.id, due_at=heard_at, now=now)


def _note(
    session: Session,
    match: Match,
    players: Sequence[Player],
    kind: EventKind,
    *,
    about: int = 0,
    due_at: datetime | None = None,
    now: datetime,
) -> None:
    persons = persons_of(session, list(players))
    events.note(session, persons, kind, match=match, about=about, due_at=due_at, now=now)
