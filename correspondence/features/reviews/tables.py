"""Second opinions: a robot's rating of every move of a finished game, and their readers."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

REVIEW_IS_DUE = text("due_at IS NOT NULL")
"""Query condition: second opinions still to be computed."""


class ReviewState(StrEnum):
    """State of a second opinion."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Review(Table, table=True):
    """The second opinion on a match, leased to a worker for one move at a time.

    `due_at` is when a worker may take the next move: at once, or when the current lease expires. It is None once all
    moves are rated, or after a failure. The judgements are determined by the record and `budget`.
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
    """Number of positions searched for each move."""
    judgements: str = "[]"
    """Judgements so far, as JSON: for each entry null, or best move and two expected results."""
    due_at: datetime | None = None
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of failed attempts."""
    done_at: datetime | None = None


class ReviewReader(Table, table=True):
    """A person waiting for the letter with a second opinion; deleted once the letter is written."""

    match_id: int = Field(primary_key=True, foreign_key="review.match_id", sa_column_kwargs={"autoincrement": False})
    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
