"""A robot's evaluations of positions on analysis boards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

EVALUATION_IS_DUE = text("due_at IS NOT NULL")
"""Query condition: evaluations still to be made."""


class Evaluation(Table, table=True):
    """A robot's evaluation of the position after `line`, which starts after `ply` entries of a finished match.

    `line` holds tried moves, separated by “;”. `found` is JSON: for each move of the best line so far its seat, its
    text, and the seat's expected result from 0 to 1. `due_at` is when a worker may search the next move: at once, or
    when the current lease expires; None once the line is complete, or after a failure.
    """

    __table_args__ = (
        partial("ix_evaluation_due", "due_at", where=EVALUATION_IS_DUE),
        UniqueConstraint("match_id", "person_id", "ply", "line"),
        Index("ix_evaluation_asked", "person_id", "asked_at"),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    person_id: int = Field(foreign_key="person.id")
    ply: int
    line: str = ""
    asked_at: datetime
    found: str = "[]"
    due_at: datetime | None = None
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of failed attempts."""
