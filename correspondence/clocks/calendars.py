"""Off-hours, which do not count against a player: sleep, weekdays off and holidays.

The module stores, checks and describes them. Holidays come from the library `holidays`. A region is an ISO 3166-1
country code, optionally with a hyphen and a part of the country.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache

from babel import Locale
from babel.dates import get_day_names

from correspondence.clocks.deadlines import EVERY_MOMENT, Calendar
from correspondence.core.time_control import TimeControlError
from engines.wording import _, listing

LONGEST_NIGHT = 12
"""Maximum length of sleep in a day, in hours."""

MOST_DAYS_OFF = 3
"""Maximum number of weekdays off, so that nobody can prolong a game without limit."""

YEARS_AHEAD = 3
"""Number of years ahead for which holidays are looked up; no turn lasts longer."""


@dataclass(frozen=True, slots=True)
class OffHours:
    """Time that does not count against a person: sleep, weekdays off and a region's holidays.

    `sleep` holds its first and last hour. `days_off` are weekdays, Monday being 0.
    """

    sleep: tuple[int, int] | None = None
    days_off: tuple[int, ...] = ()
    region: str = ""
    zone: str = "UTC"

    @property
    def all_count(self) -> bool:
        """Whether there are no off-hours, so that all time counts."""
        return self.sleep is None and not self.days_off and not self.region


def write_off_hours(hours: OffHours) -> str:
    """Serialize off-hours as JSON for a row; empty if all time counts."""
    if hours.all_count:
        return ""
    values = {"sleep": hours.sleep, "off": hours.days_off, "region": hours.region, "zone": hours.zone}
    return json.dumps({name: value for name, value in values.items() if value}, separators=(",", ":"))


def read_off_hours(text: str) -> OffHours:
    """Parse off-hours that `write_off_hours` serialized."""
    values = json.loads(text or "{}")
    sleep = values.get("sleep")
    return OffHours(
        sleep=(sleep[0], sleep[1]) if sleep else None,
        days_off=tuple(values.get("off", ())),
        region=values.get("region", ""),
        zone=values.get("zone", "UTC"),
    )


def with_zone(text: str, zone: str) -> str:
    """Return serialized off-hours with this time zone, for the copy that a turn stores."""
    return write_off_hours(replace(read_off_hours(text), zone=zone)) if text else ""


def calendar_of(text: str, since: datetime) -> Calendar:
    """Return the calendar of a turn that began at `since`, from serialized off-hours."""
    if not text:
        return EVERY_MOMENT
    hours = read_off_hours(text)
    years = range(since.year - 1, since.year + YEARS_AHEAD + 1)
    holiday_dates = (
        frozenset(day for year in years for day in holidays_of(hours.region, year)) if hours.region else frozenset()
    )
    return Calendar(hours.zone, hours.sleep, frozenset(hours.days_off), holiday_dates)


@cache
def holidays_of(region: str, year: int) -> frozenset[date]:
    """Return the public holidays of a region in a year; empty if the region is unknown."""
    import holidays  # imported here because it is large, and most processes need no holidays

    country, _sep, part = region.partition("-")
    if part and part not in regions().get(country, ()):
        return frozenset()
    try:
        return frozenset(holidays.country_holidays(country, subdiv=part or None, years=year))
    except NotImplementedError:
        return frozenset()


@cache
def regions() -> Mapping[str, tuple[str, ...]]:
    """Return the codes of countries with known holidays, and of their parts."""
    import holidays

    return {code: tuple(parts) for code, parts in holidays.list_supported_countries().items() if len(code) == 2}


def countries(language: str) -> list[tuple[str, str]]:
    """Return the codes and names of these countries, sorted by name."""
    names = Locale.parse(language).territories
    return sorted(((code, str(names.get(code, code))) for code in regions()), key=lambda pair: pair[1])


def region_of(country: str, part: str) -> str:
    """Return the region of a country and an optional part.

    Raises TimeControlError if either is unknown; for a part, the message lists the valid ones.
    """
    country, part = country.strip().upper(), part.strip().upper()
    if not country:
        return ""
    if country not in regions():
        raise TimeControlError(_("The holidays of “{country}” are not known here.").format(country=country[:20]))
    parts = {code.upper(): code for code in regions()[country]}
    if part and part not in parts:
        part_list = listing(list(parts.values())[:60], _("and")) or _("none")
        raise TimeControlError(
            _("{country} has no part “{part}” with holidays of its own; there are: {parts}.").format(
                country=country, part=part[:20], parts=part_list
            )
        )
    return f"{country}-{parts[part]}" if part else country


def checked(hours: OffHours) -> OffHours:
    """Return off-hours if they are valid and not too long; raise TimeControlError otherwise."""
    if hours.sleep is not None:
        start, end = hours.sleep
        if not (0 <= start <= 23 and 0 <= end <= 23):
            raise TimeControlError(_("Nights begin and end on a whole hour, from 0 to 23."))
        if not 1 <= (end - start) % 24 <= LONGEST_NIGHT:
            raise TimeControlError(_("A night can be 1 to {most} hours long.").format(most=LONGEST_NIGHT))
    if len(set(hours.days_off)) > MOST_DAYS_OFF or not set(hours.days_off) <= set(range(7)):
        raise TimeControlError(_("At most {most} days of the week can be off.").format(most=MOST_DAYS_OFF))
    return hours


def weekdays(language: str) -> list[str]:
    """Return the names of the weekdays, from Monday on."""
    names = get_day_names("wide", context="stand-alone", locale=language)
    return [str(names[day]) for day in range(7)]


def in_words(text: str, language: str) -> str:
    """Describe off-hours, such as “nights from 22:00 to 8:00 and every Sunday”.

    Empty if all time counts.
    """
    if not text:
        return ""
    hours = read_off_hours(text)
    phrases = []
    if hours.sleep is not None:
        phrases.append(_("nights from {falls}:00 to {wakes}:00").format(falls=hours.sleep[0], wakes=hours.sleep[1]))
    phrases += [_("every {weekday}").format(weekday=weekdays(language)[day]) for day in sorted(hours.days_off)]
    if hours.region:
        country, _sep, part = hours.region.partition("-")
        name = str(Locale.parse(language).territories.get(country, country)) + (f", {part}" if part else "")
        phrases.append(_("public holidays ({region})").format(region=name))
    return listing(phrases, _("and"))
