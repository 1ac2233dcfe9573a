"""When a letter leaves, as its reader wishes: at once, later, with others, never in quiet hours. Pure arithmetic.

A letter that somebody waits for (an answer, a link) always leaves at once. What calls for a move may wait, but
never so long that the clock suffers: at the latest when half of the time is gone, or half a day before its end,
it leaves by itself, quiet hours or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

DIGESTS = ("off", "hourly", "daily")
"""How often letters are told in one."""

DELAYS = (0, 5, 30, 120)
"""Minutes for which a letter that it is one's turn can wait, in case its reader sees the game on the page."""

GATHERING = timedelta(minutes=5)
"""How long talk, and a draw that is offered, wait for more news of the game to be told in one letter."""

SPARED = timedelta(hours=12)
"""What a letter about a turn leaves of the time in any case, where there is so much."""

MAY_WAIT = frozenset(
    {
        *("turn", "reminder", "talk", "draw_offered", "planned", "plan_stopped", "plans_wanted", "over"),
        *("challenge", "declined"),
    }
)
"""The kinds of letters that wait for the end of quiet hours, and that can be told in a digest."""

CALLS = frozenset({"turn", "reminder"})
"""The kinds of letters that a clock runs behind."""


@dataclass(frozen=True, slots=True)
class DeliveryPreferences:
    """When a person wants letters: hours are whole hours on the person's clock, `delay` is minutes.

    Quiet hours run from `quiet_from` to `quiet_until`, over midnight too; None for none.
    """

    zone: str = "UTC"
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None
    delay: int = 0


class Departure(NamedTuple):
    """When a letter leaves, and whether in a digest."""

    at: datetime
    in_digest: bool = False


def send_time(wishes: DeliveryPreferences, kind: str, now: datetime, deadline: datetime | None) -> Departure:
    """When a letter of this kind, written now, leaves; `deadline` is that of its reader's turn, if it is his."""
    if kind not in MAY_WAIT:
        return Departure(now)
    in_digest = wishes.digest in ("hourly", "daily")
    wished = next_digest(wishes, now) if in_digest else now + _wait(wishes, kind)
    wished = after_quiet(wishes, wished)
    if kind in CALLS and deadline is not None:
        latest = max(now, min(now + (deadline - now) / 2, deadline - SPARED))
        if wished > latest:
            return Departure(latest)
    return Departure(wished, in_digest)


def next_digest(wishes: DeliveryPreferences, now: datetime) -> datetime:
    """When the next digest is due: at the full hour, or at the chosen hour of the person's day."""
    if wishes.digest == "hourly":
        return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return _next_hour(wishes, wishes.digest_hour, now)


def after_quiet(wishes: DeliveryPreferences, at: datetime) -> datetime:
    """The same moment, or the end of the quiet hours it lies in."""
    if wishes.quiet_from is None or wishes.quiet_until is None or not is_quiet(wishes, at):
        return at
    return _next_hour(wishes, wishes.quiet_until, at)


def is_quiet(wishes: DeliveryPreferences, at: datetime) -> bool:
    """Whether a moment lies in the quiet hours."""
    begins, ends = wishes.quiet_from, wishes.quiet_until
    if begins is None or ends is None:
        return False
    hour = at.astimezone(ZoneInfo(wishes.zone)).hour
    return begins <= hour < ends if begins < ends else hour >= begins or hour < ends


def _wait(wishes: DeliveryPreferences, kind: str) -> timedelta:
    if kind in ("turn", "planned"):
        return timedelta(minutes=wishes.delay)
    return GATHERING if kind in ("talk", "draw_offered") else timedelta(0)


def _next_hour(wishes: DeliveryPreferences, hour: int, after: datetime) -> datetime:
    """The next time that this hour begins on the person's clock."""
    zone = ZoneInfo(wishes.zone)
    day = after.astimezone(zone).date()
    days = (day + timedelta(days=number) for number in range(3))
    begins = (datetime.combine(each, time(hour), zone).astimezone(UTC) for each in days)
    return next(moment for moment in begins if moment > after)
