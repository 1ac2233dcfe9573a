"""What one move does to a match: lots are drawn, entries recorded and chained, clocks stopped and started.

Whoever calls holds the match; nothing here is told to anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.clocks import turns
from correspondence.core import db, time_control
from correspondence.core.hashchain import next_hash, root_hash
from correspondence.models import By, Match, Move, Offer, OfferKind, OfferState, Player, Seed
from correspondence.models.loading import Step, players_of, stored, time_control_of
from engines.base import CHANCE, Position
from engines.chance import ChanceStream


def draw(position: Position[Any], seed: bytes, ply: int) -> tuple[Position[Any], list[Step]]:
    """Let chance act, from entry number `ply` of the record on: the position then, and what was drawn.

    The same seed and number always show the same, so a second try after a failure is no second throw.
    """
    steps: list[Step] = []
    while position.to_act == (CHANCE,):
        stream = ChanceStream(seed, ply + len(steps))
        steps.append(Step(position, CHANCE, position.random_move(CHANCE, stream)))
        position = position.after(CHANCE, steps[-1].move)
    return position, steps


def lots_after(session: Session, match: Match, position: Position[Any]) -> tuple[Position[Any], list[Step]]:
    """The lots that follow a move of this match which led to `position` and is not entered yet; writes nothing.

    Whatever can refuse the move was asked before this: from here on the lots stand.
    """
    if position.to_act != (CHANCE,):
        return position, []
    return draw(position, session.get_one(Seed, match.id).secret, match.ply + 2)


_LAST_HASH = select(Move.hash).where(col(Move.match_id) == bindparam("match"), col(Move.ply) == bindparam("ply"))

_OPEN_OFFERS = (
    select(Offer)
    .where(col(Offer.match_id) == bindparam("match"), col(Offer.state) == OfferState.OPEN)
    .order_by(col(Offer.id))
)


def open_offers(session: Session, match_id: int) -> Sequence[Offer]:
    """Everything that is on offer in a match, oldest first."""
    return db.cached_read(
        session, (Offer, match_id), lambda: session.exec(_OPEN_OFFERS, params={"match": match_id}).all()
    )


def enter(
    session: Session,
    match: Match,
    position: Position[Any],
    steps: Sequence[Step],
    now: datetime,
    *,
    by: By,
    mover: Player | None = None,
    comment: str = "",
) -> list[Player]:
    """Record the steps that led to a position, and hand it over; returns the players whose turn began.

    Offers of the other side lapse. `mover` is None where only lots were drawn. Each row is written once.
    """
    with session.no_autoflush:
        spent = turns.spent(session, mover, now) if mover is not None else timedelta(0)
        _record(session, match, steps, now, by=by, player=mover, spent=spent, comment=comment)
        if mover is not None:
            _lapse_offers(session, match, mover)
        return _hand_over(session, match, position, now, mover=mover, spent=spent, by=by)


def _record(
    session: Session,
    match: Match,
    steps: Sequence[Step],
    now: datetime,
    *,
    by: By,
    player: Player | None = None,
    spent: timedelta = timedelta(0),
    comment: str = "",
) -> None:
    """Enter steps into the record, each chained to all before; those at the seat of `player` are his, by that face."""
    chained = _last_hash(session, match)
    for step in steps:
        match.ply += 1
        text = step.entry.text
        chained = next_hash(chained, match.ply, step.seat, text)
        own = player is not None and step.seat == player.seat
        session.add(
            Move(
                match_id=match.id,
                ply=match.ply,
                seat=step.seat,
                text=text,
                at=now,
                spent=seconds(spent) if own else 0,
                bank=player.bank if own and player is not None else None,
                by=by if own else By.CHANCE,
                comment=comment if own else "",
                hash=chained,
            )
        )
    session.add(match)


def _last_hash(session: Session, match: Match) -> str:
    last = session.exec(_LAST_HASH, params={"match": match.id, "ply": match.ply}).first() if match.ply else None
    return last or root_hash(match.game, match.version, match.options)


def _hand_over(
    session: Session,
    match: Match,
    position: Position[Any],
    now: datetime,
    *,
    mover: Player | None,
    spent: timedelta,
    by: By,
) -> list[Player]:
    """Store the position, stop the mover's clock and start those of whoever is now to act; returns whose turn began.

    A mover who was not there himself, because his plan moved for him, has not seen the position.
    """
    match.position = stored(position)
    if mover is not None and mover.since is not None:
        mover.bank = seconds(time_control.bank_after(time_control_of(match), timedelta(seconds=mover.bank), spent))
        turns.end_turn(mover)
        if by != By.PLAN:
            mover.seen_ply = match.ply
        session.add(mover)
    began = [p for p in players_of(session, match.id) if p.seat in position.to_act and p.since is None]
    for player in began:
        turns.begin_turn(session, match, player, now=now)
    turns.set_sweeps(session, match, now)
    return began


def _lapse_offers(session: Session, match: Match, mover: Player) -> None:
    """A move lets lapse what the other side has offered, and whoever asked for a move back asks no more."""
    for offer in open_offers(session, match.id):
        if offer.seat != mover.seat or offer.kind == OfferKind.TAKEBACK:
            offer.state = OfferState.LAPSED
            session.add(offer)


def seconds(span: timedelta) -> int:
    """A span as whole seconds."""
    return int(span.total_seconds())
