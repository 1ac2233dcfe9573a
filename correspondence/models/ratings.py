"""How strong persons are at a game, and what each rated match did to that."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from correspondence.models.columns import Table


class Rating(Table, table=True):
    """How strong a person is at a game, by Glicko-2 (glicko.py), as it was after the last of `games` rated ones."""

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
    """When it becomes provisional again, if no game is rated before; a time gone by where it is."""


class RatingChange(Table, table=True):
    """What one rated match did to one player's rating: everything needed to undo it. `score` is 1, 0.5 or 0.

    The state before is as it was stored, not yet grown by the time since `before_at`, which is None at the first.
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
