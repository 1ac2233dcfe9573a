"""Cities by UTC offset, to suggest time zones to a person whose mail shows only an offset."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engines.wording import _, ngettext

MOST = 3
"""Maximum number of cities proposed."""

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
"""Well-known cities (IANA names); among cities with the same clock, the more likely first."""


def cities_at(offset: int, now: datetime) -> list[str]:
    """Return up to MOST cities whose clocks are now `offset` minutes ahead of UTC."""
    ahead = timedelta(minutes=offset)
    zones = [zone for zone in ZONES if now.astimezone(ZoneInfo(zone)).utcoffset() == ahead]
    return [zone.rpartition("/")[2].replace("_", " ") for zone in zones[:MOST]]


def offset_sentence(offset: int) -> str:
    """Say how far a clock is from UTC, and how to choose a time zone."""
    hours, minutes = divmod(abs(offset), 60)
    length = ngettext("%(num)s hour", "%(num)s hours", hours) % {"num": f"{hours}:{minutes:02}" if minutes else hours}
    if not offset:
        clock = _("Your mail's clock shows UTC.")
    elif offset > 0:
        clock = _("Your mail's clock is {length} ahead of UTC.").format(length=length)
    else:
        clock = _("Your mail's clock is {length} behind UTC.").format(length=length)
    ask = _("Until now deadlines have been shown in UTC. To get your own time, reply with the line of a city near you:")
    return f"{clock} {ask}"
