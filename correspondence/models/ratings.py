"""Ratings of persons at each game, and their change by each rated match."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from correspondence.models.columns import Table


class Rating(Table, table=True):
    """A person's Glicko-2 rating at a game (glicko.py), after `games` rated ones."""

    __table_args__ = (UniqueConstraint("person_id", "game"), Index("ix_rating_order", "game", "rating", "id"))

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    game: str
    rating: float
    deviation: float
    volatility: float
    games: int = 0
    updated_at: datetime
    established_until: datetime
    """When it becomes provisional without another rated game; in the past if it already is."""


class RatingChange(Table, table=True):
    """A player's rating change by one match, with all data to undo it.

    `score` is 1, 0.5 or 0. The previous rating is as stored, without the growth of its deviation since `before_at`,
    which is None for the first match.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "person_id"),
        Index("ix_rating_change_course", "person_id", "game", "id"),
        Index("ix_rating_change_pair", "person_id", "opponent_id", "game", "at"),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    person_id: int = Field(foreign_key="person.id")
    opponent_id: int = Field(foreign_key="person.id")
    game: str
    score: float
    games_before: int
    before_at: datetime | None = None
    rating_before: float
    deviation_before: float
    volatility_before: float
    rating: float
    deviation: float
    volatility: float
    at: datetime
