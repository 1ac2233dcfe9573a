"""Offers other than a draw: taking the last move back, and pausing all clocks of a game for some days.

Nothing happens without the other side's consent, and every pause has an end. An offer lapses with the next move of the
other side; a take-back offer lapses with any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlmodel import Session, col, func, select

from correspondence.clocks import turns
from correspondence.models import (
    STALE,
    Cause,
    ClockStop,
    EventKind,
    Letter,
    Match,
    Move,
    Offer,
    OfferKind,
    OfferState,
    Player,
    TakenBackMove,
)
from correspondence.models.loading import (
    MadeMove,
    entries_of,
    game_of,
    locked,
    moves_of,
    must_go_on,
    options_of,
    players_of,
    stored,
)
from correspondence.play import game_events, game_letters, matches
from correspondence.play.conditional import plans
from correspondence.play.matches import MatchError
from correspondence.play.record_moves import open_offers
from engines.base import CHANCE
from engines.record import positions, replay
from engines.wording import _, listing

LONGEST_PAUSE = 30
"""The longest pause in days; when it is over, players can agree on another."""

OFFERS_A_DAY = 5
"""So often one player may offer the same kind of thing in one game within a day: each offer is a letter."""


def offer_pause(session: Session, player: Player, days: int | None, *, now: datetime) -> datetime | None:
    """Offer a pause of so many days, or accept the offered one if `days` is None or the same.

    Returns when the pause ends if it has begun, None if it was only offered. Raises MatchError.
    """
    match, offer = _match_and_offer(session, player, OfferKind.PAUSE)
    if offer is not None and offer.seat != player.seat and days in (None, offer.days):
        return _pause(session, match, player, offer, now)
    if days is None:
        raise MatchError(_("Nobody has offered a pause in this game. Say how long, for example: pause 5 days"))
    if not 1 <= days <= LONGEST_PAUSE:
        raise MatchError(_("A pause lasts 1 to {most} days, for example: pause 5 days").format(most=LONGEST_PAUSE))
    if pause_of(session, match, now) is not None:
        raise MatchError(_("This game is already paused; another pause can be agreed on when this one is over."))
    if offer is not None and offer.seat == player.seat and offer.days == days:
        raise MatchError(
            _("You have already offered this pause; the offer stands until your opponent answers or moves.")
        )
    _must_not_press(session, player, OfferKind.PAUSE, now)
    _lapse(session, offer)
    _offer(session, match, player, OfferKind.PAUSE, now, days=days)
    return None


def offer_takeback(session: Session, player: Player, *, now: datetime) -> bool:
    """Ask to take one's own last move back, or allow the opponent to take theirs back.

    Returns True when a move was taken back. Raises MatchError, also where chance has acted since or something is hidden
    from anybody: what a move has revealed cannot be unseen.
    """
    match, offer = _match_and_offer(session, player, OfferKind.TAKEBACK)
    if offer is not None and offer.seat != player.seat:
        seats = players_of(session, match.id)
        _take_back(session, match, seats[offer.seat], now)
        _close(session, offer, OfferState.TAKEN)
        return True
    if offer is not None:
        raise MatchError(_("You have already asked for your move back; your opponent has not answered yet."))
    _moves_to_undo(session, match, player)
    _must_not_press(session, player, OfferKind.TAKEBACK, now)
    _offer(session, match, player, OfferKind.TAKEBACK, now)
    return False


def accept(session: Session, player: Player, kind: OfferKind | None = None, *, now: datetime) -> OfferKind:
    """Accept the opponent's offer of this kind, or the only one, and return its kind.

    Raises MatchError where there is none, or several of which none is named.
    """
    kind = _offer_to_answer(session, player, kind, "accept").kind
    if kind == OfferKind.DRAW:
        matches.offer_draw(session, player, now=now)
    elif kind == OfferKind.PAUSE:
        offer_pause(session, player, None, now=now)
    else:
        offer_takeback(session, player, now=now)
    return kind


def decline(session: Session, player: Player, kind: OfferKind | None = None, *, now: datetime) -> OfferKind:
    """Decline the opponent's offer of this kind, or the only one, and return its kind.

    Raises MatchError where there is none, or several of which none is named.
    """
    offer = _offer_to_answer(session, player, kind, "decline")
    _close(session, offer, OfferState.LAPSED)
    return offer.kind


def _offer_to_answer(session: Session, player: Player, kind: OfferKind | None, word: str) -> Offer:
    """The opponent's offer that `word`, accept or decline, is about. Raises MatchError."""
    match = locked(session, player.match_id)
    others = [offer for offer in open_offers(session, match.id) if offer.seat != player.seat]
    named = [offer for offer in others if kind in (None, offer.kind)]
    if not others:
        raise MatchError(_("Your opponent offers you nothing in this game."))
    if not named:
        raise MatchError(_("Your opponent does not offer you that in this game."))
    if len({offer.kind for offer in named}) > 1:
        lines = listing([f"{word} {offer.kind}" for offer in named])
        raise MatchError(_("Your opponent offers you several things. Please say which: {lines}.").format(lines=lines))
    return named[-1]


def has_offer(session: Session, player: Player) -> bool:
    """Whether the other side has an open offer to this player."""
    match = session.get_one(Match, player.match_id)
    return any(offer.seat != player.seat for offer in open_offers(session, match.id))


def pause_of(session: Session, match: Match, now: datetime) -> ClockStop | None:
    """The pause that a game is in, if any."""
    clock_stops = session.exec(
        select(ClockStop).where(col(ClockStop.match_id) == match.id, col(ClockStop.ends_at) > now)
    )
    return next((clock_stop for clock_stop in clock_stops if is_pause(clock_stop, now)), None)


def is_pause(clock_stop: ClockStop, now: datetime) -> bool:
    """Whether a clock_stop is an agreed pause that is in force now."""
    return clock_stop.cause == Cause.PAUSE and clock_stop.begins_at <= now < clock_stop.ends_at


def _match_and_offer(session: Session, player: Player, kind: OfferKind) -> tuple[Match, Offer | None]:
    match = locked(session, player.match_id)
    must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise MatchError(_("There is nobody who could agree to that."))
    return match, matches.open_offer(session, match, kind)


def _must_not_press(session: Session, player: Player, kind: OfferKind, now: datetime) -> None:
    """Raise MatchError where a player has offered this too often lately."""
    mine = select(func.count()).select_from(Offer).where(col(Offer.match_id) == player.match_id)
    mine = mine.where(col(Offer.seat) == player.seat, col(Offer.kind) == kind, col(Offer.at) > now - timedelta(days=1))
    if session.exec(mine).one() >= OFFERS_A_DAY:
        sentence = _("You have asked for that {count} times within a day. Ask again tomorrow.")
        raise MatchError(sentence.format(count=OFFERS_A_DAY))


def _offer(session: Session, match: Match, player: Player, kind: OfferKind, now: datetime, *, days: int = 0) -> None:
    offer = Offer(match_id=match.id, seat=player.seat, ply=match.ply, kind=kind, days=days, at=now)
    session.add(offer)
    session.flush()
    game_letters.offered(session, match, player, offer, now=now)
    game_events.offered(session, match, offer, now=now)


def _lapse(session: Session, offer: Offer | None) -> None:
    if offer is not None:
        _close(session, offer, OfferState.LAPSED)


def _close(session: Session, offer: Offer, state: OfferState) -> None:
    offer.state = state
    session.add(offer)
    session.flush()


def _pause(session: Session, match: Match, player: Player, offer: Offer, now: datetime) -> datetime:
    until = now + timedelta(days=offer.days)
    session.add(ClockStop(match_id=match.id, cause=Cause.PAUSE, begins_at=now, ends_at=until))
    _close(session, offer, OfferState.TAKEN)
    turns.retime_match(session, match.id, now=now)
    game_letters.paused(session, match, player, offer, until, now=now)
    game_events.to_all(session, match, EventKind.GAME_PAUSED, now=now)
    return until


# -- taking back -------------------------------------------------------------------------


def _moves_to_undo(session: Session, match: Match, player: Player) -> list[MadeMove]:
    """The moves that are removed when a player takes their last move back, oldest first.

    Raises MatchError where they cannot be taken back.
    """
    moves = moves_of(session, match.id)
    last = next((move for move in reversed(moves) if move.seat == player.seat), None)
    if last is None:
        raise MatchError(_("You have made no move yet that could be taken back."))
    removed = moves[last.ply - 1 :]
    if any(move.seat == CHANCE for move in removed):
        raise MatchError(_("Chance has decided something since that move, so it cannot be taken back."))
    if _is_anything_hidden(match, moves, last.ply - 1):
        raise MatchError(_("Something is hidden in this game, and what was seen cannot be unseen: moves stand."))
    return removed


def _is_anything_hidden(match: Match, moves: Sequence[MadeMove], ply: int) -> bool:
    """Whether any viewer sees less than everything of any position after `ply` moves or later."""
    game, options = game_of(match), options_of(match)
    later = list(positions(game, options, entries_of(moves)))[ply:]
    viewers = (None, *range(len(game.seats)))
    return any(position.view(viewer) != position for position in later for viewer in viewers)


def _take_back(session: Session, match: Match, player: Player, now: datetime) -> None:
    removed = _moves_to_undo(session, match, player)
    ply = removed[0].ply - 1
    remaining = moves_of(session, match.id)[:ply]
    _remove_moves(session, match, removed, now)
    stopped_ids = plans.stop_all(session, match)
    match.ply, match.takebacks = ply, match.takebacks + 1
    position = replay(game_of(match), options_of(match), entries_of(remaining))
    match.position = stored(position)
    session.add(match)
    for other in players_of(session, match.id):
        _restore(other, match, removed, own=other.id == player.id)
        session.add(other)
        if other.seat in position.to_act:
            turns.begin_turn(session, match, other, now=now)
        news = plans.PlanNews(stopped=other.person_id in stopped_ids)
        if other.id == player.id and other.seat in position.to_act:
            game_letters.taken_back(session, match, other, news=news, now=now)
        elif news.stopped:
            game_letters.planned(session, match, other, (), news=news, now=now)
    game_events.to_all(session, match, EventKind.MOVES_TAKEN_BACK, now=now)
    game_events.turn(session, match, turns.running(session, match), now=now)
    turns.schedule_sweeps(session, match)


def _restore(player: Player, match: Match, removed: Sequence[MadeMove], *, own: bool) -> None:
    """Reset a player's clock, and what they have seen, to where they stood before the moves taken back.

    The player who takes back keeps the time used, but has at least one increment left, because the consent may come
    during their night. The other player gets the time of the turn back.
    """
    turns.end_turn(player)
    player.seen_ply, player.shown_ply = min(player.seen_ply, match.ply), min(player.shown_ply, match.ply)
    first = next((move for move in removed if move.seat == player.seat and move.bank is not None), None)
    if first is not None and first.bank is not None:
        used = first.spent if own else 0
        player.bank = max(first.bank - used, min(match.increment, first.bank))


def _remove_moves(session: Session, match: Match, removed: Sequence[MadeMove], now: datetime) -> None:
    """Move entries from the record to the table of taken-back moves, and mark letters and events that told them stale."""
    for move in removed:
        columns = {name: getattr(move, name) for name in ("ply", "seat", "text", "at", "spent", "by", "comment")}
        session.add(TakenBackMove(**columns, match_id=match.id, taken_back_at=now))
    session.flush()
    session.exec(delete(Move).where(col(Move.match_id) == match.id, col(Move.ply) >= removed[0].ply))
    letters = update(Letter).where(col(Letter.match_id) == match.id, col(Letter.ply) >= removed[0].ply)
    session.exec(letters.values(ply=STALE))
    game_events.taken_back(session, match, removed[0].ply)
