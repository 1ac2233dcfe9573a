"""Deadlines, calendars and reminders: pure date arithmetic in timezone-aware UTC.

The deadline is found by following the counted time in the player's calendar from the start of the turn, until the bank
is used up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from correspondence.core.i18n import zone_of
from correspondence.core.time_control import TimeControlError
from engines.wording import _

REMIND_AT_SHARE = 0.8
"""Share of a player's time after which the reminder is sent."""


# -- calendars -----------------------------------------------------------------------

Span = tuple[datetime, datetime]
"""A time span: start, and end (exclusive)."""

_DAY = timedelta(days=1)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The time that counts against a player: all time except these fields.

    `sleep` holds the first and last hour on the local clock of `zone`; it may span midnight. `days_off` are weekdays
    (Monday 0) and `holidays` are dates, both from midnight to midnight in `zone`. `stops` are spans in which this
    player's clock is stopped. Raises TimeControlError if no time would ever count.
    """

    zone: str = "UTC"
    sleep: tuple[int, int] | None = None
    days_off: frozenset[int] = frozenset()
    holidays: frozenset[date] = frozenset()
    stops: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if self.days_off >= frozenset(range(7)):
            raise TimeControlError(_("At least one day of the week must be left to play on."))

    @property
    def keeps_hours(self) -> bool:
        """Whether there are off-hours, so that the time zone matters."""
        return self.sleep is not None or bool(self.days_off or self.holidays)

    def with_stops(self, stops: tuple[Span, ...]) -> Calendar:
        """Return this calendar with additional stops."""
        return replace(self, stops=(*self.stops, *stops)) if stops else self


EVERY_MOMENT = Calendar()
"""The calendar of a player for whom all time counts."""


def deadline_of(since: datetime, bank: timedelta, calendar: Calendar = EVERY_MOMENT) -> datetime:
    """Return when the time of a player whose turn began at `since` runs out.

    This is the last time up to which at most `bank` has counted. If `bank` is used up exactly at the start of a night,
    the deadline is the next morning.
    """
    for begins, ends in _counting_spans(calendar, since):
        if bank < ends - begins:
            return begins + bank
        bank -= ends - begins
    raise AssertionError("time does not end")


def counted_time(since: datetime, until: datetime, calendar: Calendar = EVERY_MOMENT) -> timedelta:
    """Return how much of the time between `since` and `until` counts."""
    total = timedelta(0)
    for begins, ends in _counting_spans(calendar, since):
        if begins >= until:
            break
        total += min(ends, until) - begins
    return total


def reminder_of(since: datetime, bank: timedelta, calendar: Calendar = EVERY_MOMENT) -> datetime:
    """Return when to remind a player whose turn began at `since`."""
    return deadline_of(since, bank * REMIND_AT_SHARE, calendar)


def _counting_spans(calendar: Calendar, since: datetime) -> Iterator[Span]:
    """Yield the counting spans, in order, from `since` on without end."""
    at = since.astimezone(UTC)
    if not calendar.keeps_hours:
        yield from _without((at, _NEVER), calendar.stops)
        return
    zone = zone_of(calendar.zone)
    while True:
        for span in _split_at_shifts(zone, at, at + _DAY):
            for begins, ends in _awake_spans(calendar, zone, span):
                yield from _without((begins, ends), calendar.stops)
        at += _DAY


def _split_at_shifts(zone: ZoneInfo, begins: datetime, ends: datetime) -> Iterator[Span]:
    """Yield the span, split if the zone changes its UTC offset within it."""
    if _offset(zone, begins) == _offset(zone, ends):
        yield begins, ends
        return
    before, after = int(begins.timestamp()), int(ends.timestamp())
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(zone, datetime.fromtimestamp(middle, UTC)) == _offset(zone, begins):
            before = middle
        else:
            after = middle
    shift = datetime.fromtimestamp(after, UTC)
    yield begins, shift
    yield shift, ends


def _offset(zone: ZoneInfo, at: datetime) -> timedelta:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None
    return offset


def _awake_spans(calendar: Calendar, zone: ZoneInfo, span: Span) -> Iterator[Span]:
    """Yield the counting spans within a span of constant UTC offset, ignoring stops."""
    offset = _offset(zone, span[0])
    begins, ends = (at.replace(tzinfo=None) + offset for at in span)
    day = begins.date()
    while (midnight := datetime.combine(day, time())) < ends:
        if day.weekday() not in calendar.days_off and day not in calendar.holidays:
            for first, last in _hours(calendar.sleep):
                start, end = max(begins, midnight + first), min(ends, midnight + last)
                if start < end:
                    yield (start - offset).replace(tzinfo=UTC), (end - offset).replace(tzinfo=UTC)
        day += _DAY


def _hours(sleep: tuple[int, int] | None) -> tuple[tuple[timedelta, timedelta], ...]:
    """Return the waking hours of a day, as spans since midnight."""
    if sleep is None:
        return ((timedelta(0), _DAY),)
    asleep, awake = (timedelta(hours=hour) for hour in sleep)
    return ((awake, asleep),) if awake < asleep else ((timedelta(0), asleep), (awake, _DAY))


def _without(span: Span, stops: tuple[Span, ...]) -> Iterator[Span]:
    """Yield the parts of a span that remain outside the stops."""
    begins, ends = span
    for stop_begins, stop_ends in sorted(stops):
        if stop_ends <= begins or stop_begins >= ends:
            continue
        if begins < stop_begins:
            yield begins, stop_begins
        begins = max(begins, stop_ends)
    if begins < ends:
        yield begins, ends
