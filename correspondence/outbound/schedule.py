"""When a letter is sent, by its reader's preferences: now, delayed or in a digest. Pure.

A letter that somebody waits for (an answer, a link) is sent at once. A letter that asks for a move may wait. It is sent
separately, even in quiet hours, before half of the remaining time or all but its last twelve hours have passed,
whichever comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from correspondence.core.i18n import zone_of
from correspondence.outbound.kinds import LetterKind

DIGESTS = ("off", "hourly", "daily")
"""The choices for a person's digest setting."""

DELAYS = (0, 5, 30, 120)
"""Choices, in minutes, for delaying a turn letter in case its reader sees the page first."""

MERGE_WINDOW = timedelta(minutes=5)
"""How long remarks, draw offers and receipts wait to be merged into another letter."""

CLOCK_MARGIN = timedelta(hours=12)
"""Minimum time before the deadline for a letter that asks for a move, if possible."""


@dataclass(frozen=True, slots=True)
class DeliveryPreferences:
    """A person's delivery preferences: hours in their time zone, `delay` in minutes.

    Quiet hours run from `quiet_from` to `quiet_until`, possibly past midnight; both are None if there are none.
    """

    zone: str = "UTC"
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None
    delay: int = 0


class SendTime(NamedTuple):
    """When a letter is sent, and whether in a digest."""

    at: datetime
    in_digest: bool = False


def send_time(preferences: DeliveryPreferences, kind: LetterKind, now: datetime, deadline: datetime | None) -> SendTime:
    """Return when a new letter is sent; `deadline` is None if it is not its reader's turn."""
    if not kind.is_deferrable:
        return SendTime(now + _delay(preferences, kind))
    in_digest = preferences.digest in ("hourly", "daily")
    preferred = next_digest(preferences, now) if in_digest else now + _delay(preferences, kind)
    preferred = after_quiet(preferences, preferred)
    if kind.has_clock and deadline is not None:
        latest = max(now, min(now + (deadline - now) / 2, deadline - CLOCK_MARGIN))
        if preferred > latest:
            return SendTime(latest)
    return SendTime(preferred, in_digest)


def next_digest(preferences: DeliveryPreferences, now: datetime) -> datetime:
    """Return when the next digest is due: the next full hour, or the hour the person chose."""
    if preferences.digest == "hourly":
        return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return _next_hour(preferences, preferences.digest_hour, now)


def after_quiet(preferences: DeliveryPreferences, at: datetime) -> datetime:
    """Return `at`, or the end of the quiet hours that contain it."""
    if preferences.quiet_from is None or preferences.quiet_until is None or not is_quiet(preferences, at):
        return at
    return _next_hour(preferences, preferences.quiet_until, at)


def is_quiet(preferences: DeliveryPreferences, at: datetime) -> bool:
    """Whether a time is in the quiet hours."""
    start, end = preferences.quiet_from, preferences.quiet_until
    if start is None or end is None:
        return False
    hour = at.astimezone(zone_of(preferences.zone)).hour
    return start <= hour < end if start < end else hour >= start or hour < end


def _delay(preferences: DeliveryPreferences, kind: LetterKind) -> timedelta:
    if kind.is_on_page:
        return timedelta(minutes=preferences.delay)
    return MERGE_WINDOW if kind.is_mergeable else timedelta(0)


def _next_hour(preferences: DeliveryPreferences, hour: int, after: datetime) -> datetime:
    """Return the next start of this hour in the person's time zone, as UTC."""
    zone = zone_of(preferences.zone)
    day = after.astimezone(zone).date()
    days = (day + timedelta(days=offset) for offset in range(3))
    starts = (datetime.combine(date, time(hour), zone).astimezone(UTC) for date in days)
    return next(start for start in starts if start > after)
