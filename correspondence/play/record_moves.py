"""Recording moves: chance acts, entries are hashed and stored, clocks stop and start.

The caller has locked the match. Nothing here notifies anyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, insert
from sqlmodel import Session, col, select

from correspondence.clocks import turns
from correspondence.core import counting, db, time_control
from correspondence.fairness import heads
from correspondence.fairness.evidence import note_seal
from correspondence.fairness.heads import head_after
from correspondence.fairness.seeds import both_words, secret_to_draw
from correspondence.models import By, Match, Move, Offer, OfferKind, OfferState, Player
from correspondence.models.loading import MadeMove, Step, players_of, stored
from correspondence.play import offered_words
from engines.base import CHANCE, Position
from engines.chance import ChanceStream
from engines.verification.seals import is_sealed, seal


def play_chance(
    position: Position[Any], seed: bytes, ply: int, words: tuple[str, str] = ("", "")
) -> tuple[Position[Any], list[Step]]:
    """Play chance moves from entry number `ply` on; return the position then and the moves.

    Deterministic in seed, number and words, so a retry after a failure gives the same result.
    """
    steps: list[Step] = []
    while position.to_act == (CHANCE,):
        stream = ChanceStream(seed, ply + len(steps), words)
        steps.append(Step(position, CHANCE, position.random_move(CHANCE, stream)))
        position = position.after(CHANCE, steps[-1].move)
    return position, steps


def chance_after(session: Session, match: Match, position: Position[Any]) -> tuple[Position[Any], list[Step]]:
    """Return the chance moves after a move of this game that led to `position`.

    The move is not recorded yet, and nothing is written. Everything that can refuse the move has been checked before:
    from here on the result stands.
    """
    if position.to_act != (CHANCE,):
        return position, []
    words = both_words(player.words for player in players_of(session, match.id))
    return play_chance(position, secret_to_draw(session, match.id), match.ply + 2, words)


_OPEN_OFFERS = (
    select(Offer)
    .where(col(Offer.match_id).in_(bindparam("matches", expanding=True)), col(Offer.state) == OfferState.OPEN)
    .order_by(col(Offer.id))
)


def open_offers(session: Session, match_id: int) -> Sequence[Offer]:
    """Return all open offers in a game, oldest first."""
    kept: list[Offer] | None = db.asked(session).get((Offer, match_id))
    if kept is not None or db.is_absent(session, Offer, match_id):
        return kept or ()
    return db.cached_read(
        session, (Offer, match_id), lambda: session.exec(_OPEN_OFFERS, params={"matches": [match_id]}).all()
    )


def ask_offers_ahead(session: Session, match_ids: Iterable[int]) -> None:
    """Prefetch open offers for a block of `db.asking_once` that changes none."""
    found: dict[int, list[Offer]] = {number: [] for number in match_ids}
    for offer in session.exec(_OPEN_OFFERS, params={"matches": list(found)}):
        found[offer.match_id].append(offer)
    for number, offers in found.items():
        db.asked(session)[Offer, number] = offers


_ENTER = insert(Move)

_BY_CHANCE: dict[str, Any] = {"spent": 0, "by": By.CHANCE, "comment": "", "bank": None}
"""Column values of an entry made by chance."""


def enter(
    session: Session,
    match: Match,
    position: Position[Any],
    steps: Sequence[Step],
    now: datetime,
    *,
    by: By,
    mover: Player | None = None,
    received_at: datetime | None = None,
    comment: str = "",
) -> list[Player]:
    """Record the steps that led to a position, and pass the turn.

    Returns the players whose turn began. Offers of the other side lapse. `mover` is None if only chance acted. The
    mover's clock ran until `received_at`, default now. Each row is written once.
    """
    with session.no_autoflush:
        spent = turns.spent(session, mover, received_at or now) if mover is not None else timedelta(0)
        _record(session, match, steps, position, now, by=by, player=mover, spent=spent, comment=comment)
        if mover is not None:
            _lapse_offers(session, match, mover, now)
        return _hand_over(session, match, position, now, mover=mover, spent=spent, by=by)


def _record(
    session: Session,
    match: Match,
    steps: Sequence[Step],
    position: Position[Any],
    now: datetime,
    *,
    by: By,
    player: Player | None = None,
    spent: timedelta = timedelta(0),
    comment: str = "",
) -> None:
    """Append steps to the record: sealed if hidden, and hashed with all before them.

    The steps led to `position`. Steps at the seat of `player` are recorded as theirs, made via `by`.
    """
    head, entered = head_after(session, match), []
    of_player: dict[str, Any] = {"spent": seconds(spent), "by": by, "comment": comment}
    makers = {player.seat: {**of_player, "bank": player.bank}} if player is not None else {}
    for step, after in zip(steps, [*(step.before for step in steps[1:]), position], strict=False):
        match.ply += 1
        maker = makers.get(step.seat, _BY_CHANCE)
        move = MadeMove(
            match.ply, step.seat, step.entry.text, now, hash="", seal=_seal(session, match, step, after), **maker
        )
        head = heads.next_head(match, head, move)
        note_seal(session, match, move.seal)
        entered.append({**move._asdict(), "match_id": match.id, "hash": head})
    if entered:
        db.connection(session).execute(_ENTER, entered)
    if player is not None:
        counting.count(session, "moves", by)
    heads.note_head(session, match, head)


def _seal(session: Session, match: Match, step: Step, after: Position[Any]) -> str:
    """Return the seal of entry `match.ply`; empty if public, or in an older match."""
    if match.chain < heads.CHAIN or not is_sealed(step.before, step.seat, step.move, after):
        return ""
    return seal(secret_to_draw(session, match.id), match.ply, step.entry.text)


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
    """Store the position, stop the mover's clock and start those of the players to move.

    Returns the players whose turn began. A mover whose plan moved for them has not seen the position.
    """
    match.position = stored(position)
    if mover is not None and mover.since is not None:
        mover.bank = seconds(time_control.bank_after(match.time_control, timedelta(seconds=mover.bank), spent))
        turns.end_turn(mover)
        if by != By.PLAN:
            mover.seen_ply = match.ply
    began = [p for p in players_of(session, match.id) if p.seat in position.to_act and p.since is None]
    for player in began:
        turns.begin_turn(session, match, player, now=now)
    turns.schedule_sweeps(session, match)
    return began


def _lapse_offers(session: Session, match: Match, mover: Player, now: datetime) -> None:
    """Let the other side's offers and the mover's own take-back request lapse after a move."""
    for offer in open_offers(session, match.id):
        if offer.seat != mover.seat or offer.kind == OfferKind.TAKEBACK:
            offer.state, offer.closed_at = OfferState.LAPSED, now
            session.add(offer)
            offered_words.strike(session, offer)


def seconds(span: timedelta) -> int:
    """Return a duration in whole seconds."""
    return int(span.total_seconds())
