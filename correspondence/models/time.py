"""Time that does not count: pauses, extensions, absences, outages; and process heartbeats."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial


class Cause(StrEnum):
    """Why the clock of one match is stopped."""

    PAUSE = "pause"
    EXTENSION = "extension"


STOP_IS_MARK = text("player_id IS NULL AND begins_at = ends_at")
"""Query condition: zero-length stops, which mark matches whose game is uninstalled."""

VACATION_IS_NEW = text("NOT is_applied")
"""Query condition: absences not yet applied to every deadline."""


class ClockStop(Table, table=True):
    """A stop of the clocks in one match, or of one player's clock."""

    __table_args__ = (partial("ix_clock_stop_mark", "match_id", where=STOP_IS_MARK),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    cause: Cause = Field(sa_type=one_of(Cause))
    begins_at: datetime
    ends_at: datetime


class Vacation(Table, table=True):
    """A person's absence, in all games: announced, or used automatically on a timeout.

    `is_applied` means that all affected deadlines have been moved.
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
    """Hours charged for an announced absence; None in older rows."""
    announced: bool = True
    is_applied: bool = True


class Heartbeat(Table, table=True):
    """When a worker last ran (row 1), and when mail could last come in (row 2).

    A gap in either is an outage (clocks/outages.py). A service that receives no mail has no row 2.
    """

    id: int = Field(default=1, primary_key=True)
    at: datetime


class Process(Table, table=True):
    """Last heartbeat of a part of a process, such as a worker or the mail listener.

    A stopping process deletes its row; a row left by a dead process is reported (clocks/processes.py).
    """

    name: str = Field(primary_key=True)
    """Part and host: `worker@alpha`, or `worker@alpha/2` for a second one on the host."""
    part: str
    host: str
    pid: int
    holder: str
    """Random id of the process that has this name now."""
    at: datetime


class SweepLease(Table, table=True):
    """Lease of a sweep that one worker at a time may run; expired once `ends_at` has passed."""

    name: str = Field(primary_key=True)
    """The name of the sweep."""
    holder: str = ""
    """Random id of the worker that holds it."""
    ends_at: datetime


class Outage(Table, table=True):
    """Time without a worker, which counts against nobody; `applied_to` is the last match done."""

    id: int = Field(default=None, primary_key=True)
    begins_at: datetime = Field(unique=True)
    ends_at: datetime = Field(index=True)
    applied_to: int = 0
    is_applied: bool = False
