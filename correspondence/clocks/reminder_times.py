"""Times of reminders in a turn: pure date arithmetic, as in deadlines.py.

A player chooses how long before the deadline reminders come; by default, one comes when four fifths of the time are
used. When an agreed pause or an announced absence ends, players are notified that the clock runs again, and the four
fifths count from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from correspondence.clocks.deadlines import Calendar, counted_time, reminder_of


class Stop(NamedTuple):
    """A time in which a clock is stopped.

    `is_announced` means that the player knows of it: a pause or an announced absence.
    """

    begins: datetime
    ends: datetime
    is_announced: bool = False


class Turn(NamedTuple):
    """The data of a turn on which its reminders depend; `calendar` includes the stops."""

    since: datetime
    deadline: datetime
    bank: timedelta
    calendar: Calendar
    stops: Sequence[Stop]


def reminder_times(turn: Turn, leads: Sequence[timedelta]) -> list[datetime]:
    """Return the times of all reminders in a turn, in order; `leads` are the player's choice."""
    resumed = resumptions(turn)
    chosen = [at for lead in leads if (at := turn.deadline - lead) > turn.since]
    times = {*resumed, *(_after_stop(turn, at) for at in chosen or _by_share(turn, resumed))}
    return sorted(at for at in times if turn.since < at < turn.deadline)


def resumptions(turn: Turn) -> list[datetime]:
    """Return when the clock runs again after announced stops."""
    ends = {stop.ends for stop in turn.stops if stop.is_announced and turn.since < stop.ends < turn.deadline}
    return sorted(at for at in ends if _after_stop(turn, at) == at)


def _by_share(turn: Turn, resumed: Sequence[datetime]) -> Iterator[datetime]:
    """Yield when four fifths of the remaining time are used.

    The remaining time counts from the start of the turn, and from each resumption.
    """
    begins = [turn.since, *resumed]
    for at, following in zip(begins, [*resumed, turn.deadline], strict=True):
        left = turn.bank - counted_time(turn.since, at, turn.calendar)
        share_is_spent = reminder_of(at, left, turn.calendar)
        if share_is_spent < following:
            yield share_is_spent


def _after_stop(turn: Turn, at: datetime) -> datetime:
    """Return `at`, or the end of the stops that contain it."""
    while covering := [stop.ends for stop in turn.stops if stop.begins <= at < stop.ends]:
        at = max(covering)
    return at
