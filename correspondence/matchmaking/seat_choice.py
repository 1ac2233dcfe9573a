"""Assign seats that nobody has chosen, so that everybody begins every other game."""

from __future__ import annotations

import random

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from correspondence.models import Match, Person, Player

GAMES_CONSIDERED = 20
"""Maximum number of a person's last games that count."""


def seat_order(
    session: Session, one: Person, other: Person, game: str, seat: int | None, rng: random.Random
) -> list[Person]:
    """Return two persons in seat order; `seat` is the choice of `one`, or None.

    Two who have played this game with each other exchange seats. Otherwise the one who began fewer of their last games
    begins, or else the one who began longer ago. Ties are random.
    """
    if seat is None:
        seat = _seat_in_turn(session, one.id, other.id, game)
    if seat is None:
        seat = rng.randrange(2)
    return [one, other] if seat == 0 else [other, one]


def _seat_in_turn(session: Session, one: int, other: int, game: str) -> int | None:
    last = _last_seat_against(session, one, other, game)
    if last is not None:
        return 1 - last
    mine, theirs = _last_seats(session, one, game), _last_seats(session, other, game)
    for ours, others in ((_advantage(mine), _advantage(theirs)), (_began_last(mine), _began_last(theirs))):
        if ours != others:
            return 0 if ours < others else 1
    return None


def _last_seat_against(session: Session, one: int, other: int, game: str) -> int | None:
    mine, theirs = aliased(Player), aliased(Player)
    query = (
        select(mine.seat)
        .join(theirs, (col(theirs.match_id) == col(mine.match_id)) & (col(theirs.person_id) == other))
        .join(Match, col(Match.id) == col(mine.match_id))
        .where(col(mine.person_id) == one, col(Match.game) == game)
        .order_by(col(mine.match_id).desc())
    )
    return session.exec(query).first()


def _last_seats(session: Session, person_id: int, game: str) -> list[int]:
    """Return the seats of a person's last games, newest first."""
    query = (
        select(Player.seat)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == person_id, col(Match.game) == game)
        .order_by(col(Player.match_id).desc())
    )
    return list(session.exec(query.limit(GAMES_CONSIDERED)))


def _advantage(seats: list[int]) -> int:
    """Return how many more games the person began than not."""
    return seats.count(0) - seats.count(1)


def _began_last(seats: list[int]) -> int:
    """Return a number that is larger the more recently the person began a game."""
    return -seats.index(0) if 0 in seats else -GAMES_CONSIDERED
