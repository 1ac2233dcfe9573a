"""Second opinions: what a robot thinks of every move of a finished game, and who waits for the letter about it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

REVIEW_IS_DUE = text("due_at IS NOT NULL")
"""Second opinions that are still to be made."""


class ReviewState(StrEnum):
    """Where a second opinion stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Review(Table, table=True):
    """The second opinion on a match, leased for one move at a time by the worker that thinks about it.

    `due_at` is when a worker may take the next move: at once, or when the lease of another has run out; None once all
    are judged, or nobody could. What it says follows from the record and `budget` alone.
    """

    __table_args__ = (
        partial("ix_review_due", "due_at", where=REVIEW_IS_DUE),
        Index("ix_review_asked", "asked_by_id", "asked_at"),
    )

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    asked_by_id: int | None = Field(default=None, foreign_key="person.id")
    asked_at: datetime
    state: ReviewState = Field(default=ReviewState.QUEUED, sa_type=one_of(ReviewState))
    budget: int
    """How many positions each judgement looks at."""
    judgements: str = "[]"
    """What was found so far, as JSON: for each entry of the record null, or the best move and two expected results."""
    due_at: datetime | None = None
    lease: str = ""
    """A random word of the worker that has leased it: nobody else's answer counts."""
    tries: int = 0
    """How often a judgement has failed."""
    done_at: datetime | None = None


class ReviewReader(Table, table=True):
    """A person who waits for the letter with a second opinion; gone once it is written."""

    match_id: int = Field(primary_key=True, foreign_key="review.match_id", sa_column_kwargs={"autoincrement": False})
    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
