"""Cities that go by a clock: what is proposed as time zone to somebody of whom only the clock of their mail is known."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engines.wording import _, ngettext

MOST = 3
"""Most cities that are proposed."""

ZONES = (
    "Europe/London", "Europe/Rome", "Europe/Berlin", "Europe/Paris", "Europe/Lisbon", "Europe/Athens", "Europe/Helsinki",
    "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos", "Africa/Cairo", "Africa/Johannesburg", "Africa/Nairobi",
    "Africa/Casablanca", "Atlantic/Reykjavik", "Atlantic/Azores", "Atlantic/Cape_Verde", "America/New_York",
    "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix", "America/Anchorage", "Pacific/Honolulu",
    "America/Toronto", "America/Halifax", "America/St_Johns", "America/Mexico_City", "America/Bogota", "America/Caracas",
    "America/Sao_Paulo", "America/Buenos_Aires", "America/Noronha", "Asia/Dubai", "Asia/Tehran", "Asia/Kabul",
    "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Yangon", "Asia/Bangkok", "Asia/Jakarta",
    "Asia/Shanghai", "Asia/Singapore", "Australia/Perth", "Australia/Eucla", "Asia/Tokyo", "Asia/Seoul",
    "Australia/Adelaide", "Australia/Darwin", "Australia/Sydney", "Australia/Brisbane", "Australia/Lord_Howe",
    "Pacific/Noumea", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Tongatapu", "Pacific/Kiritimati",
    "Pacific/Marquesas", "Pacific/Gambier", "Pacific/Pago_Pago",
)  # fmt: skip
"""Well-known cities (IANA), the likelier one first among those of one clock."""


def cities_at(offset: int, now: datetime) -> list[str]:
    """Return the cities whose clocks are now `offset` minutes ahead of UTC, at most MOST of them; maybe none."""
    ahead = timedelta(minutes=offset)
    zones = [zone for zone in ZONES if now.astimezone(ZoneInfo(zone)).utcoffset() == ahead]
    return [zone.rpartition("/")[2].replace("_", " ") for zone in zones[:MOST]]


def offset_sentence(offset: int) -> str:
    """Say what a clock is ahead of UTC by `offset` minutes, and how a time zone is chosen."""
    hours, minutes = divmod(abs(offset), 60)
    length = ngettext("%(num)s hour", "%(num)s hours", hours) % {"num": f"{hours}:{minutes:02}" if minutes else hours}
    if not offset:
        clock = _("Your mail's clock shows UTC.")
    elif offset > 0:
        clock = _("Your mail's clock is {length} ahead of UTC.").format(length=length)
    else:
        clock = _("Your mail's clock is {length} behind UTC.").format(length=length)
    ask = _("Deadlines are told in UTC so far. For your own time, reply with the line of a city near you:")
    return f"{clock} {ask}"
