"""Times that count against nobody: pauses and respites, absences, and when no worker lived."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial


class Cause(StrEnum):
    """Why a clock of one match stands still for a while."""

    PAUSE = "pause"
    EXTENSION = "extension"


STOP_IS_MARK = text("player_id IS NULL AND begins_at = ends_at")
"""Stops of no length, which say since when the game of a match has been gone (clocks/missing_games.py)."""

VACATION_IS_NEW = text("NOT is_applied")
"""Times away that have not moved every deadline yet."""


class ClockStop(Table, table=True):
    """A time that counts against nobody in one match, or not against one player of it."""

    __table_args__ = (partial("ix_clock_stop_mark", "match_id", where=STOP_IS_MARK),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    cause: Cause = Field(sa_type=one_of(Cause))
    begins_at: datetime
    ends_at: datetime


class Vacation(Table, table=True):
    """A time for which a person is away, in all games: announced, or spent by itself when time ran out.

    `is_applied` once every deadline of the person that it moves has been moved.
    """

    __table_args__ = (
        Index("ix_vacation_person", "person_id", "ends_at"),
        partial("ix_vacation_new", "id", where=VACATION_IS_NEW),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    begins_at: datetime
    ends_at: datetime
    hours: int | None = None
    """The hours that an announced absence was charged for; None before this was kept."""
    announced: bool = True
    is_applied: bool = True


class Heartbeat(Table, table=True):
    """When a worker last ran (row 1), and when mail could last come in (row 2).

    A gap in either is an outage (clocks/outages.py). A service that takes in no mail has no row 2.
    """

    id: int = Field(default=1, primary_key=True)
    at: datetime


class Process(Table, table=True):
    """A part of a process, such as a worker or the mail listener, and its last sign of life.

    The row goes when the process stops; that of a process that died stays, so that it is missed (clocks/processes.py).
    """

    name: str = Field(primary_key=True)
    """Part and host: `worker@alpha`, or `worker@alpha/2` for a second one on the host."""
    part: str
    host: str
    pid: int
    holder: str
    """A random word of the process that has the name now."""
    at: datetime


class SweepLease(Table, table=True):
    """The worker that runs a sweep which only one may run at a time; over where `ends_at` is not in the future."""

    name: str = Field(primary_key=True)
    """The name of the sweep."""
    holder: str = ""
    """A random word of the worker that holds it."""
    ends_at: datetime


class Outage(Table, table=True):
    """A time when no worker lived, which counts against nobody; `applied_to` is the last match put right."""

    id: int = Field(default=None, primary_key=True)
    begins_at: datetime = Field(unique=True)
    ends_at: datetime = Field(index=True)
    applied_to: int = 0
    is_applied: bool = False
