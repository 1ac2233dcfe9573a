"""Exercises from finished games, members' attempts, and the progress of the search."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

IS_SHOWN = text("withdrawn_at IS NULL")
"""Query condition: exercises that are not withdrawn."""


class Exercise(Table, table=True):
    """A position of a finished match in which exactly one move wins by force.

    `position` is stored JSON with only what the seat to move could see. `tree` holds the solution and the refutation of
    every other move (`engines.search.exercises`). Rating, deviation and volatility are its difficulty by Glicko-2, on
    the same scale as its solvers.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "ply"),
        partial("ix_exercise_shown", "id", "found_at", "game", where=IS_SHOWN),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    """Number of record entries before the position."""
    game: str
    version: int
    """Version of the rules by which the win was proved."""
    options: str = ""
    seat: int
    moves: int
    """Number of the seat's own moves needed to win."""
    position: str
    tree: str
    rating: float
    deviation: float
    volatility: float
    tried: int = 0
    """Number of members who tried it; only each member's first attempt counts."""
    solved: int = 0
    found_at: datetime
    withdrawn_at: datetime | None = None


class ExerciseAttempt(Table, table=True):
    """A member's first attempt at an exercise, the only one that counts.

    `line` holds their moves so far, one to a line. The ratings are those before and after it; None while it is open.
    """

    __table_args__ = (UniqueConstraint("person_id", "exercise_id"),)

    id: int = Field(default=None, primary_key=True)
    exercise_id: int = Field(foreign_key="exercise.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    begun_at: datetime
    line: str = ""
    ended_at: datetime | None = None
    solved: bool = False
    opened_at: datetime | None = None
    """When the member was shown the solution: on solving it, later, or on giving up."""
    rating_before: float | None = None
    rating: float | None = None


class ExerciseRating(Table, table=True):
    """A member's Glicko-2 rating at exercises, after `tried` of them."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
    rating: float
    deviation: float
    volatility: float
    tried: int = 0
    solved: int = 0
    updated_at: datetime


class ExerciseSearch(Table, table=True):
    """Progress of the search for exercises in finished matches, ordered by end; a single row.

    `ended_at` and `match_id` identify the last or current match; `ply` is its next position, -1 if none is left.
    `due_at` is when a worker may search the next position.
    """

    id: int = Field(default=1, primary_key=True)
    ended_at: datetime | None = None
    match_id: int = 0
    ply: int = -1
    due_at: datetime
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of failed searches of this position."""
