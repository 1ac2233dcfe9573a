"""Exercises from finished games: the positions that were found, who tried them, and how far the games were searched."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

IS_SHOWN = text("withdrawn_at IS NULL")
"""Exercises that are shown."""


class Exercise(Table, table=True):
    """A position of a finished match in which one move alone wins by force.

    `position` is stored JSON: what the seat to move could see, and nothing else. `tree` holds the solution and what
    refutes every other move (`engines.search.exercises`). Rating, deviation and volatility say how hard it has proved
    to be, by Glicko-2, on the scale of those who try it.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "ply"),
        partial("ix_exercise_shown", "id", "found_at", "game", where=IS_SHOWN),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    """After how many entries of the record the position stood."""
    game: str
    version: int
    """The version of the rules by which it was proven."""
    options: str = ""
    seat: int
    moves: int
    """Within how many moves of the seat the game is won."""
    position: str
    tree: str
    rating: float
    deviation: float
    volatility: float
    tried: int = 0
    """How many members have tried it; only the first try of each counts."""
    solved: int = 0
    found_at: datetime
    withdrawn_at: datetime | None = None


class ExerciseAttempt(Table, table=True):
    """A member's first try at an exercise, which alone counts; `line` holds their moves so far, one to a line.

    The ratings are the member's before and after it; None while it is open.
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
    """When the member was shown the solution: they solved it, then or later, or gave it up."""
    rating_before: float | None = None
    rating: float | None = None


class ExerciseRating(Table, table=True):
    """How well a member solves exercises, by Glicko-2, as it was after the last of `tried` ones."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
    rating: float
    deviation: float
    volatility: float
    tried: int = 0
    solved: int = 0
    updated_at: datetime


class ExerciseSearch(Table, table=True):
    """How far finished matches have been searched for exercises, in the order of their ends: the one row.

    `ended_at` and `match_id` name the match that was searched last or is being searched; `ply` says which of its
    positions is next, and is -1 where nothing of it is left. `due_at` is when a worker may look at the next position.
    """

    id: int = Field(default=1, primary_key=True)
    ended_at: datetime | None = None
    match_id: int = 0
    ply: int = -1
    due_at: datetime
    lease: str = ""
    """A random word of the worker that searches a position now: nobody else's answer counts."""
    tries: int = 0
    """How often the search of this position has failed."""
