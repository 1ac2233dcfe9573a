"""How robots answer offers, always and immediately.

They accept every pause and, in an unrated game, every take-back. They accept a draw only late in the game, and only if
they do not have the better position.
"""

from __future__ import annotations

import random
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.i18n import in_language
from correspondence.models import Match, Offer, OfferKind, OfferState, Person, Player
from correspondence.models.loading import person_of, players_of, position_of
from correspondence.models.people import IS_ROBOT
from correspondence.play import matches, offers, record_moves
from correspondence.play.standing_offers import Seen, number_of
from correspondence.robots import lines
from engines.search.outlook import outlook
from engines.wording import _

EARLIEST_DRAW = 20
"""Minimum number of entries before a robot agrees to a draw."""

EVEN, CLEARLY_WORSE = 0.05, -0.25
"""Maximum evaluation for agreeing to a draw, in an unrated and in a rated game."""


OFFERED = (
    select(Offer.match_id)
    .join(Player, col(Player.match_id) == col(Offer.match_id))
    .where(
        col(Offer.state) == OfferState.OPEN,
        col(Player.person_id).in_(select(Person.id).where(IS_ROBOT)),
        col(Player.ended_at).is_(None),
        col(Player.seat) != col(Offer.seat),
    )
)
"""Query: running matches with an offer to a robot."""


def matches_with_offers(session: Session) -> list[int]:
    """Find running matches with an offer to a robot, each once."""
    return sorted(set(session.exec(OFFERED)))


def answer_all(session: Session, match: Match, *, now: datetime, rng: random.Random) -> int:
    """Let the robots of a locked match answer every offer to them; return the number."""
    answered = 0
    for player in players_of(session, match.id):
        if match.ended_at is not None or not person_of(session, player).robot_level:
            continue
        for offer in record_moves.open_offers(session, match.id):
            if offer.seat != player.seat and match.ended_at is None and offer.state == OfferState.OPEN:
                _answer(session, match, player, offer, now, rng)
                answered += 1
    return answered


def _answer(session: Session, match: Match, player: Player, offer: Offer, now: datetime, rng: random.Random) -> None:
    seen = Seen(offer=number_of(offer))
    if _grants(match, player, offer, rng):
        offers.accept(session, player, offer.kind, seen=seen, now=now)
    else:
        offers.decline(session, player, offer.kind, seen=seen, is_said=True, now=now)
        _say(session, player, lines.NO_DRAW if offer.kind == OfferKind.DRAW else lines.NO_TAKEBACK, now, rng)


def _grants(match: Match, player: Player, offer: Offer, rng: random.Random) -> bool:
    if offer.kind == OfferKind.TAKEBACK:
        return not match.rated
    return offer.kind == OfferKind.PAUSE or _agrees(match, player, rng)


def _agrees(match: Match, player: Player, rng: random.Random) -> bool:
    """Whether a robot agrees to a draw: late enough, and not if its position is better."""
    judged = outlook(match.game, position_of(match), player.seat, rng) if match.ply >= EARLIEST_DRAW else None
    return judged is not None and judged <= (CLEARLY_WORSE if match.rated else EVEN)


def _say(session: Session, player: Player, sentences: tuple[str, ...], now: datetime, rng: random.Random) -> None:
    reader = lines.opponent_of(session, player)
    if reader is None or reader.departed_at is not None:
        return
    with in_language(reader.language):
        words = _(rng.choice(sentences))
    try:
        matches.say(session, player, words, now=now, is_meant=True, is_final=True)
    except ValueError:  # the robot has used up its remarks for today; the page shows that the offer is declined
        return
