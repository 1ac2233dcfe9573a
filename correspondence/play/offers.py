"""Offers other than a draw: take back the last move, or pause all clocks for some days.

Nothing happens without the other side's consent, and every pause has an end. An offer lapses with the next move of the
other side and with a take-back; a take-back offer lapses with any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.clocks import turns
from correspondence.models import Cause, ClockStop, EventKind, Match, Offer, OfferKind, OfferState, Player
from correspondence.models.loading import MadeMove, game_of, locked, must_go_on, players_of
from correspondence.play import game_events, game_letters, matches, standing_offers, take_backs
from correspondence.play.matches import MatchError
from correspondence.play.record_moves import open_offers
from correspondence.play.standing_offers import NOTHING_SEEN, Seen
from engines.wording import _, listing

LONGEST_PAUSE = 30
"""Maximum length of a pause, in days; players can agree on another one afterwards."""

OFFERS_A_DAY = 5
"""Maximum number of offers per player, kind, game and day, because each offer is a letter."""


def offer_pause(
    session: Session, player: Player, days: int | None, *, seen: Seen = NOTHING_SEEN, now: datetime
) -> datetime | None:
    """Offer a pause of `days`, or accept the open one if `days` is None or the same.

    Returns when the pause ends if it has begun, None if it was only offered. Raises MatchError.
    """
    match = _running(session, player)
    standing = standing_offers.answered(session, match, player, OfferKind.PAUSE, seen)
    if standing is not None and days in (None, standing.days):
        return _pause(session, match, player, standing, now)
    if days is None:
        raise MatchError(_("Nobody has offered a pause in this game. Say how long, for example: pause 5 days"))
    if not 1 <= days <= LONGEST_PAUSE:
        raise MatchError(_("A pause lasts 1 to {most} days, for example: pause 5 days").format(most=LONGEST_PAUSE))
    if pause_of(session, match, now) is not None:
        raise MatchError(_("This game is already paused; another pause can be agreed on when this one is over."))
    own = standing_offers.own(session, player, OfferKind.PAUSE)
    if own is not None and own.days == days:
        raise MatchError(
            _("You have already offered this pause; the offer stands until your opponent answers or moves.")
        )
    _must_not_press(session, player, OfferKind.PAUSE, now)
    for replaced, state in ((standing, OfferState.DECLINED), (own, OfferState.WITHDRAWN)):
        if replaced is not None:
            standing_offers.close(session, replaced, state, now)
    _offer(session, match, player, OfferKind.PAUSE, now, days=days)
    return None


def offer_takeback(session: Session, player: Player, *, seen: Seen = NOTHING_SEEN, now: datetime) -> bool:
    """Ask to take back one's own last move, or allow the opponent to take back theirs.

    Returns True if a move was taken back. Raises MatchError, also if chance has acted since or anything is hidden from
    anyone, because a revealed fact cannot be unseen.
    """
    match = _running(session, player)
    standing = standing_offers.answered(session, match, player, OfferKind.TAKEBACK, seen)
    if standing is not None:
        standing_offers.close(session, standing, OfferState.TAKEN, now)
        take_backs.take_back(session, match, players_of(session, match.id)[standing.seat], now=now)
        return True
    if standing_offers.own(session, player, OfferKind.TAKEBACK) is not None:
        raise MatchError(_("You have already asked for your move back; your opponent has not answered yet."))
    removed = take_backs.moves_to_undo(session, match, player)
    _must_not_press(session, player, OfferKind.TAKEBACK, now)
    _offer(session, match, player, OfferKind.TAKEBACK, now, moves=removed)
    return False


def accept(
    session: Session, player: Player, kind: OfferKind | None = None, *, seen: Seen = NOTHING_SEEN, now: datetime
) -> OfferKind:
    """Accept the opponent's offer of this kind, or the only one, and return its kind.

    Raises MatchError if there is none, or if there are several and `kind` is None.
    """
    offer = _offer_to_answer(session, player, kind, seen, "accept")
    seen = Seen(offer=standing_offers.number_of(offer))
    if offer.kind == OfferKind.DRAW:
        matches.offer_draw(session, player, seen=seen, now=now)
    elif offer.kind == OfferKind.PAUSE:
        offer_pause(session, player, None, seen=seen, now=now)
    else:
        offer_takeback(session, player, seen=seen, now=now)
    return offer.kind


def decline(
    session: Session,
    player: Player,
    kind: OfferKind | None = None,
    *,
    seen: Seen = NOTHING_SEEN,
    is_said: bool = False,
    now: datetime,
) -> OfferKind:
    """Decline the opponent's offer of this kind, or the only one, and return its kind.

    The opponent gets no letter if `is_said`: the player then declines in a remark. Raises MatchError if there is none,
    or if there are several and `kind` is None.
    """
    offer = _offer_to_answer(session, player, kind, seen, "decline")
    match = session.get_one(Match, player.match_id)
    standing_offers.close(session, offer, OfferState.DECLINED, now)
    if not is_said:
        game_letters.offer_declined(session, match, player, offer, now=now)
    game_events.offer_declined(session, match, offer, now=now)
    return offer.kind


def withdraw(
    session: Session, player: Player, kind: OfferKind | None = None, *, seen: Seen = NOTHING_SEEN, now: datetime
) -> OfferKind:
    """Withdraw the player's own offer of this or the only kind; return it. Raises MatchError."""
    match = locked(session, player.match_id)
    mine = [offer for offer in open_offers(session, match.id) if offer.seat == player.seat]
    named = [offer for offer in mine if kind in (None, offer.kind)]
    if seen.offer is not None:
        named = [offer for offer in named if standing_offers.number_of(offer) == seen.offer]
    if not named:
        raise MatchError(_("You have no open offer of that kind in this game; it was answered, or it has lapsed."))
    offer = _only(named, "withdraw")
    standing_offers.close(session, offer, OfferState.WITHDRAWN, now)
    game_events.offer_withdrawn(session, match, offer, now=now)
    return offer.kind


def _offer_to_answer(session: Session, player: Player, kind: OfferKind | None, seen: Seen, word: str) -> Offer:
    """Return the opponent's offer that an accept or decline refers to. Raises MatchError."""
    match = locked(session, player.match_id)
    if kind is not None:
        standing_offers.must_stand(session, player, kind, seen)
    elif seen.told_at is not None:
        standing_offers.some_told_must_stand(session, player, seen.told_at)
    others = [offer for offer in open_offers(session, match.id) if offer.seat != player.seat]
    named = [offer for offer in others if kind in (None, offer.kind)]
    if not others:
        raise MatchError(_("No offer of your opponent is waiting in this game."))
    if not named:
        raise MatchError(_("No such offer of your opponent is waiting in this game."))
    return _only(named, word)


def _only(named: Sequence[Offer], word: str) -> Offer:
    """Return the only offer `word` can refer to; raise MatchError if there are several kinds."""
    if len({offer.kind for offer in named}) > 1:
        lines = listing([f"{word} {offer.kind}" for offer in named])
        raise MatchError(_("There are several offers in this game. Please say which: {lines}.").format(lines=lines))
    return named[-1]


def has_offer(session: Session, player: Player) -> bool:
    """Whether the other side has an open offer to this player."""
    match = session.get_one(Match, player.match_id)
    return any(offer.seat != player.seat for offer in open_offers(session, match.id))


def pause_of(session: Session, match: Match, now: datetime) -> ClockStop | None:
    """Return the current pause of a game, or None."""
    clock_stops = session.exec(
        select(ClockStop).where(col(ClockStop.match_id) == match.id, col(ClockStop.ends_at) > now)
    )
    return next((clock_stop for clock_stop in clock_stops if is_pause(clock_stop, now)), None)


def is_pause(clock_stop: ClockStop, now: datetime) -> bool:
    """Whether a clock_stop is an agreed pause in force now."""
    return clock_stop.cause == Cause.PAUSE and clock_stop.begins_at <= now < clock_stop.ends_at


def _running(session: Session, player: Player) -> Match:
    """Return the player's locked game; raise MatchError if it is over or has no other player."""
    match = locked(session, player.match_id)
    must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise MatchError(_("There is nobody who could agree to that."))
    return match


def _must_not_press(session: Session, player: Player, kind: OfferKind, now: datetime) -> None:
    """Raise MatchError if a player has made this offer too often recently."""
    mine = select(func.count()).select_from(Offer).where(col(Offer.match_id) == player.match_id)
    mine = mine.where(col(Offer.seat) == player.seat, col(Offer.kind) == kind, col(Offer.at) > now - timedelta(days=1))
    if session.exec(mine).one() >= OFFERS_A_DAY:
        sentence = _("You have asked for that {count} times within a day. Ask again tomorrow.")
        raise MatchError(sentence.format(count=OFFERS_A_DAY))


def _offer(
    session: Session,
    match: Match,
    player: Player,
    kind: OfferKind,
    now: datetime,
    *,
    days: int = 0,
    moves: Sequence[MadeMove] = (),
) -> None:
    offer = Offer(match_id=match.id, seat=player.seat, ply=match.ply, kind=kind, days=days, at=now)
    session.add(offer)
    session.flush()
    game_letters.offered(session, match, player, offer, moves, now=now)
    game_events.offered(session, match, offer, now=now)


def _pause(session: Session, match: Match, player: Player, offer: Offer, now: datetime) -> datetime:
    until = now + timedelta(days=offer.days)
    session.add(ClockStop(match_id=match.id, cause=Cause.PAUSE, begins_at=now, ends_at=until))
    standing_offers.close(session, offer, OfferState.TAKEN, now)
    turns.retime_match(session, match.id, now=now)
    game_letters.paused(session, match, player, offer, until, now=now)
    game_events.to_all(session, match, EventKind.GAME_PAUSED, now=now)
    return until
