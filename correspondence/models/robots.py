"""What the service remembers of the robots: which turns they are to play, and whether somebody thinks for them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import text
from sqlmodel import Field

from correspondence.models.columns import Table, partial

TURN_IS_DUE = text("due_at IS NOT NULL")
"""Turns of robots that are still to be played."""


SEARCH_HAS_FAILED = text("failure <> ''")
"""Turns with a failure of which the operator was not told yet."""


class SearchFailure(StrEnum):
    """How a search for a robot failed."""

    CRASHED = "crashed"
    OVERRAN = "overran"


TURN_KEEPS_FAILING = text("due_at IS NOT NULL AND tries > 2")
"""Turns that are still to be played and have failed at least twice."""


class RobotTurn(Table, table=True):
    """The present turn of a robot in a game, leased by the worker that thinks about it.

    `ply` and `takebacks` say which turn it is, as `Player.turn_ply` and `Match.takebacks` do. `due_at` is when a
    worker may take it: after the delay, or when the lease of another has run out; None once it is played.
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
    """A random word of the worker that has leased the turn: nobody else's answer counts."""
    tries: int = 0
    """How often it was tried; each try after the first thinks at a level below."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How often a worker ended while it held the turn, which is no try."""
    failure: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """How a search failed of which the operator was not told yet, a `SearchFailure`; empty where none did."""
    outlook: int | None = None
    """How the robot judged its game when it last moved, in percent from -100, lost, to 100, won."""


class RobotWatch(Table, table=True):
    """When a worker that thinks for robots was last there, the one row; None when the last one said that it is not."""

    id: int = Field(default=1, primary_key=True)
    seen_at: datetime | None = None
