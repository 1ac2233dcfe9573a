"""Games that visitors without an account play against a robot."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

ROBOT_IS_TO_MOVE = text("due_at IS NOT NULL")
"""Query condition: visitors' games in which a robot is to move."""


class VisitorGame(Table, table=True):
    """A visitor's game against a robot, until it becomes a match or `ends_at` has passed.

    `digest` is the SHA-256 of the random key in the browser's cookie. `site` is a keyed hash of the network address,
    for the limit of games for each. `entries` is JSON: seats and moves in canonical notation. `due_at` is when a
    worker may search the robot's move; None if the visitor is to move or the game is over.
    """

    __table_args__ = (partial("ix_visitor_game_due", "due_at", where=ROBOT_IS_TO_MOVE),)

    id: int = Field(default=None, primary_key=True)
    digest: str = Field(unique=True)
    site: str = Field(index=True)
    game: str
    entries: str = "[]"
    ends_at: datetime = Field(index=True)
    due_at: datetime | None = None
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of failed searches for the current move."""
