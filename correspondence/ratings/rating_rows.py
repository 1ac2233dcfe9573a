"""Rating rows: locks, writes, growth of uncertainty, and weights of games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam
from sqlmodel import Session, col, select

from correspondence.core.db import insert_into
from correspondence.models import Rating
from correspondence.ratings.glicko2 import Strength, after_idle, idle_periods_until

PERIOD = timedelta(days=7)
"""The length of a rating period, by which a deviation of 60 becomes 96 after an idle year."""

ESTABLISHED_DEVIATION = 110.0
"""Maximum deviation of an established rating; above it a rating is provisional."""

MOST_PERIODS = 52 * 100
"""Maximum periods for which a rating stays established, so that the date can be represented."""

WORTH = (1.0, 0.5, 0.25, 0.125)
"""Weights of successive rated games of a pair and kind within `PAIR_SPAN`.

Further games have no weight. The total weight is less than that of two games, so a pair gains little by playing many.
"""

PAIR_SPAN = timedelta(days=90)

SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
"""The score of each seat by result; other results change no rating."""

_LOCKED_RATINGS = (
    select(Rating)
    .where(col(Rating.person_id).in_(bindparam("persons", expanding=True)), col(Rating.game) == bindparam("game"))
    .order_by(col(Rating.person_id))
    .with_for_update()
)


def locked_ratings(session: Session, person_ids: Sequence[int], game: str, now: datetime) -> dict[int, Rating]:
    """Lock these persons' rating rows in this order; create missing ones."""
    params, options = {"persons": list(person_ids), "game": game}, {"populate_existing": True}
    found = session.exec(_LOCKED_RATINGS, params=params, execution_options=options).all()
    missing = set(person_ids) - {row.person_id for row in found}
    if missing:
        _begin_ratings(session, missing, game, now)
        found = session.exec(_LOCKED_RATINGS, params=params, execution_options=options).all()
    return {row.person_id: row for row in found}


def _begin_ratings(session: Session, person_ids: Iterable[int], game: str, now: datetime) -> None:
    """Create rating rows before a first rated match, unless another transaction just did."""
    initial = Strength()
    first = {
        "rating": initial.rating,
        "deviation": initial.deviation,
        "volatility": initial.volatility,
        "games": 0,
        "updated_at": now,
        "established_until": _established_until(initial, now),
    }
    statement = insert_into(session, Rating.__table__).on_conflict_do_nothing()  # type: ignore[attr-defined]
    session.connection().execute(
        statement, [{"person_id": number, "game": game, **first} for number in sorted(person_ids)]
    )


def strength_of(row: Rating | Row[Any]) -> Strength:
    """Return the strength after the last rated game."""
    return Strength(row.rating, row.deviation, row.volatility)


def strength_at(strength: Strength, since: datetime, now: datetime) -> Strength:
    """Return the strength, including the growth of uncertainty since the last rated game."""
    return after_idle(strength, (now - since) / PERIOD)


def worth_after(earlier: int) -> float:
    """Return the weight of a game after `earlier` others of the same pair."""
    return WORTH[earlier] if earlier < len(WORTH) else 0.0


def store(row: Rating, strength: Strength, games: int, at: datetime) -> None:
    """Store a strength with its number of games and the time of the last one."""
    row.rating, row.deviation, row.volatility = strength.rating, strength.deviation, strength.volatility
    row.games, row.updated_at, row.established_until = games, at, _established_until(strength, at)


def _established_until(strength: Strength, at: datetime) -> datetime:
    periods = idle_periods_until(strength, ESTABLISHED_DEVIATION)
    return at + PERIOD * min(max(periods, -1.0), MOST_PERIODS)


def columns_before(row: Rating) -> dict[str, Any]:
    """Return the columns of a change that hold the state before it."""
    return {
        "games_before": row.games, "before_at": row.updated_at if row.games else None, "rating_before": row.rating,
        "deviation_before": row.deviation, "volatility_before": row.volatility,
    }  # fmt: skip


def change_columns(row: Rating, after: Strength) -> dict[str, Any]:
    """Return the columns of a change that hold the states before and after it."""
    return columns_before(row) | {
        "rating": after.rating, "deviation": after.deviation, "volatility": after.volatility,
    }  # fmt: skip
