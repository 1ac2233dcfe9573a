"""Offers beside a draw: to take the last move back, and to let all clocks of a game stand still for some days.

Nothing happens without the other side's consent, and every pause has an end. An offer lapses with the next
move of the other side; an offer to take back with any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlmodel import Session, col, select

from correspondence.clocks import turns
from correspondence.models import (
    STALE,
    Cause,
    Halt,
    Letter,
    Match,
    Move,
    Offer,
    OfferKind,
    OfferState,
    Player,
    TakenBack,
)
from correspondence.models.loading import entries_of, game_of, locked, moves_of, options_of, players_of, stored
from correspondence.play import game_letters, matches
from correspondence.play.conditional import plans
from correspondence.play.matches import MatchError
from correspondence.play.record_moves import open_offers
from engines.base import CHANCE
from engines.record import positions, replay
from engines.wording import _

LONGEST_PAUSE = 30
"""Days that a pause can last; when it is over another one can be agreed on."""


def offer_pause(session: Session, player: Player, days: int | None, *, now: datetime) -> datetime | None:
    """Offer a pause of so many days, or accept the one on offer where `days` is None or the same.

    Returns when the pause that has begun ends, None where it was only offered. Raises MatchError.
    """
    match, offer = _table(session, player, OfferKind.PAUSE)
    if offer is not None and offer.seat != player.seat and days in (None, offer.days):
        return _pause(session, match, player, offer, now)
    if days is None:
        raise MatchError(_("Nobody has offered a pause in this game. Say how long, for example: pause 5 days"))
    if not 1 <= days <= LONGEST_PAUSE:
        raise MatchError(_("A pause lasts 1 to {most} days, for example: pause 5 days").format(most=LONGEST_PAUSE))
    if pause_of(session, match, now) is not None:
        raise MatchError(_("This game pauses already; another pause can be agreed on when this one is over."))
    _lapse(session, offer)
    _offer(session, match, player, OfferKind.PAUSE, now, days=days)
    return None


def offer_takeback(session: Session, player: Player, *, now: datetime) -> bool:
    """Ask for one's last move back, or allow the other to take his back; True when it was taken back.

    Raises MatchError, also where lots were drawn since, or anything is hidden from anybody: a move that has
    shown something cannot be unseen.
    """
    match, offer = _table(session, player, OfferKind.TAKEBACK)
    if offer is not None and offer.seat != player.seat:
        seats = players_of(session, match.id)
        _take_back(session, match, seats[offer.seat], now)
        _close(session, offer, OfferState.TAKEN)
        return True
    if offer is not None:
        raise MatchError(_("You have asked for your move back already; your opponent has not answered yet."))
    _undoable(session, match, player)
    _offer(session, match, player, OfferKind.TAKEBACK, now)
    return False


def accept(session: Session, player: Player, *, now: datetime) -> OfferKind:
    """Accept what the opponent has offered last; returns of what kind it was. Raises MatchError."""
    match = locked(session, player.match_id)
    offers = [one for one in open_offers(session, match.id) if one.seat != player.seat]
    if not offers:
        raise MatchError(_("Your opponent offers you nothing in this game."))
    kind = offers[-1].kind
    if kind == OfferKind.DRAW:
        matches.offer_draw(session, player, now=now)
    elif kind == OfferKind.PAUSE:
        offer_pause(session, player, None, now=now)
    else:
        offer_takeback(session, player, now=now)
    return kind


def decline(session: Session, player: Player, kind: OfferKind | None = None, *, now: datetime) -> OfferKind:
    """Decline what the opponent offers, of this kind or the newest; returns of what kind it was. Raises MatchError."""
    match = locked(session, player.match_id)
    offers = [one for one in open_offers(session, match.id) if one.seat != player.seat and kind in (None, one.kind)]
    if not offers:
        raise MatchError(_("Your opponent offers you nothing in this game."))
    _close(session, offers[-1], OfferState.LAPSED)
    return offers[-1].kind


def are_made_to(session: Session, player: Player) -> bool:
    """Whether anything is on offer to a player by the other side."""
    match = session.get_one(Match, player.match_id)
    return any(offer.seat != player.seat for offer in open_offers(session, match.id))


def pause_of(session: Session, match: Match, now: datetime) -> Halt | None:
    """The pause that a match is in."""
    halts = session.exec(select(Halt).where(col(Halt.match_id) == match.id, col(Halt.ends_at) > now))
    return next((halt for halt in halts if is_pause(halt, now)), None)


def is_pause(halt: Halt, now: datetime) -> bool:
    """Whether a halt is a pause by consent that goes on now."""
    return halt.cause == Cause.PAUSE and halt.begins_at <= now < halt.ends_at


def _table(session: Session, player: Player, kind: OfferKind) -> tuple[Match, Offer | None]:
    match = locked(session, player.match_id)
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))
    if len(game_of(match).seats) < 2:
        raise MatchError(_("Nobody is there to agree to that."))
    return match, matches.open_offer(session, match, kind)


def _offer(session: Session, match: Match, player: Player, kind: OfferKind, now: datetime, *, days: int = 0) -> None:
    offer = Offer(match_id=match.id, seat=player.seat, ply=match.ply, kind=kind, days=days, at=now)
    session.add(offer)
    session.flush()
    game_letters.offered(session, match, player, offer, now=now)


def _lapse(session: Session, offer: Offer | None) -> None:
    if offer is not None:
        _close(session, offer, OfferState.LAPSED)


def _close(session: Session, offer: Offer, state: OfferState) -> None:
    offer.state = state
    session.add(offer)
    session.flush()


def _pause(session: Session, match: Match, player: Player, offer: Offer, now: datetime) -> datetime:
    until = now + timedelta(days=offer.days)
    session.add(Halt(match_id=match.id, cause=Cause.PAUSE, begins_at=now, ends_at=until))
    _close(session, offer, OfferState.TAKEN)
    turns.retime_match(session, match.id, now=now)
    game_letters.paused(session, match, player, offer, until, now=now)
    return until


# -- taking back -------------------------------------------------------------------------


def _undoable(session: Session, match: Match, player: Player) -> list[Move]:
    """The entries that go when a player takes his last move back, oldest first; raises MatchError where they cannot."""
    moves = moves_of(session, match.id)
    last = next((move for move in reversed(moves) if move.seat == player.seat), None)
    if last is None:
        raise MatchError(_("You have made no move yet that could be taken back."))
    gone = moves[last.ply - 1 :]
    if any(move.seat == CHANCE for move in gone):
        raise MatchError(_("Lots were drawn since that move, so it cannot be taken back."))
    if _is_anything_hidden(match, moves, last.ply - 1):
        raise MatchError(_("Something is hidden in this game, and what was seen cannot be unseen: moves stand."))
    return gone


def _is_anything_hidden(match: Match, moves: Sequence[Move], ply: int) -> bool:
    """Whether anybody cannot see all of any position from that entry on."""
    game, options = game_of(match), options_of(match)
    seen = list(positions(game, options, entries_of(list(moves))))[ply:]
    viewers = (None, *range(len(game.seats)))
    return any(position.view(viewer) != position for position in seen for viewer in viewers)


def _take_back(session: Session, match: Match, player: Player, now: datetime) -> None:
    gone = _undoable(session, match, player)
    ply = gone[0].ply - 1
    kept = moves_of(session, match.id)[:ply]
    _forget(session, match, gone, now)
    stopped = plans.stop_all(session, match)
    match.ply, match.undone = ply, match.undone + 1
    position = replay(game_of(match), options_of(match), entries_of(kept))
    match.position = stored(position)
    session.add(match)
    for seated in players_of(session, match.id):
        _restore(seated, match, gone, own=seated.id == player.id)
        session.add(seated)
        if seated.seat in position.to_act:
            turns.begin_turn(session, match, seated, now=now)
        news = plans.PlanNews(stopped=seated.person_id in stopped)
        if seated.id == player.id and seated.seat in position.to_act:
            game_letters.taken_back(session, match, seated, news=news, now=now)
        elif news.stopped:
            game_letters.planned(session, match, seated, (), news=news, now=now)
    turns.set_sweeps(session, match, now)


def _restore(player: Player, match: Match, gone: Sequence[Move], *, own: bool) -> None:
    """Set the clock of a player back to where it stood: the one who takes back keeps what he had used, but gets
    no less than an increment, because consent may come in his night; the other gets his turn's time again."""
    turns.end_turn(player)
    first = next((move for move in gone if move.seat == player.seat and move.bank is not None), None)
    if first is not None and first.bank is not None:
        used = first.spent if own else 0
        player.bank = max(first.bank - used, min(match.increment, first.bank))


def _forget(session: Session, match: Match, gone: Sequence[Move], now: datetime) -> None:
    """Move entries from the record to those taken back, and make letters stale that showed them."""
    for move in gone:
        kept = move.model_dump(include={"match_id", "ply", "seat", "text", "at", "spent", "by", "comment"})
        session.add(TakenBack(**kept, taken_back_at=now))
        session.delete(move)
    session.flush()
    stale = update(Letter).where(col(Letter.match_id) == match.id, col(Letter.ply) >= gone[0].ply)
    renamed = Letter.key + f":undone{match.undone + 1}"
    session.exec(stale.values(ply=STALE, key=renamed))
