"""Robots' turns to play, and whether a worker thinks for robots."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

TURN_IS_DUE = text("due_at IS NOT NULL")
"""Query condition: turns of robots still to be played."""


SEARCH_HAS_FAILED = text("failure <> ''")
"""Query condition: turns with a failure not yet reported to the operator."""


class SearchFailure(StrEnum):
    """How a search for a robot failed."""

    CRASHED = "crashed"
    OVERRAN = "overran"


TURN_KEEPS_FAILING = text("due_at IS NOT NULL AND tries > 2")
"""Query condition: turns still to be played that have failed at least twice."""


class RobotTurn(Table, table=True):
    """The current turn of a robot in a game, leased by the worker that searches a move.

    `ply` and `takebacks` identify the turn, as `Player.turn_ply` and `Match.takebacks` do. `due_at` is when a worker
    may take it: after the delay, or when the current lease expires. It is None once played.
    """

    __table_args__ = (
        partial("ix_robot_turn_due", "due_at", where=TURN_IS_DUE),
        partial("ix_robot_turn_failed", "match_id", where=SEARCH_HAS_FAILED),
    )

    player_id: int = Field(primary_key=True, foreign_key="player.id", sa_column_kwargs={"autoincrement": False})
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    takebacks: int
    due_at: datetime | None = None
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of attempts; each after the first searches at a lower level."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of leases that expired because the worker ended; they are not attempts."""
    failure: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """A failure not yet reported to the operator, a `SearchFailure`; empty if none."""
    outlook: int | None = None
    """The robot's evaluation at its last move, in percent from -100 (lost) to 100 (won)."""


class RobotWatch(Table, table=True):
    """When a worker for robots was last active; None if it has stopped. A single row."""

    id: int = Field(default=1, primary_key=True)
    seen_at: datetime | None = None
