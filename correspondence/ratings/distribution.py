"""How the ratings of a game are spread among people, and where one of them stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from correspondence.core import db
from correspondence.models import Person, Rating

STEP = 50
"""Width of a bar, in rating points."""

FEWEST = 5
"""Minimum number of people for a distribution."""

_RATED = (
    select(col(Rating.person_id), col(Rating.rating))
    .join(Person, col(Person.id) == col(Rating.person_id))
    .where(col(Rating.game) == bindparam("game"), col(Rating.updated_at) > bindparam("since"))
    .where(col(Person.robot_level) == 0, col(Person.departed_at).is_(None))
)


@dataclass(frozen=True, slots=True)
class Distribution:
    """People by rating: `bars` are counts of ranges of STEP points, from the rating `low` on.

    `mine` is the reader's rating, `rank` counts from 1, and `below` is the percentage of the others whom they surpass;
    None for a reader without a rating.
    """

    low: int
    bars: tuple[int, ...]
    total: int
    mine: int | None = None
    rank: int | None = None
    below: int | None = None


def distribution(session: Session, game: str, reader_id: int | None, *, since: datetime) -> Distribution | None:
    """Return how the ratings of people with a rated game after `since` are spread; None for very few."""
    rated = dict(map(tuple, db.rows(session, _RATED, game=game, since=since)))
    if len(rated) < FEWEST:
        return None
    counts = Counter(int(rating // STEP) for rating in rated.values())
    first, last = min(counts), max(counts)
    bars = tuple(counts[step] for step in range(first, last + 1))
    mine = rated.get(reader_id or 0)
    if mine is None:
        return Distribution(first * STEP, bars, len(rated))
    better, worse = (sum(sign * rating > sign * mine for rating in rated.values()) for sign in (1, -1))
    return Distribution(first * STEP, bars, len(rated), round(mine), better + 1, round(100 * worse / (len(rated) - 1)))
