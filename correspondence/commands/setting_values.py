"""Parsers for setting values: on or off, hours, weekdays, cities, countries. Pure.

Words of every language of the service are accepted. A parser raises CommandError, whose sentence lists the possible
values.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache
from typing import TypeVar
from zoneinfo import ZoneInfo

from babel import Locale

from correspondence.clocks import calendars
from correspondence.commands.pace import CommandError, read_length
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import LANGUAGES, zones
from correspondence.core.robot_pace import RobotPace
from correspondence.outbound.schedule import DELAYS
from engines.wording import _, listing

_Value = TypeVar("_Value")

_ON = frozenset("on yes true 1 y si attivo attiva attivi attive acceso accesa".split())
_OFF = frozenset("off no none false 0 n never mai niente nessuno nessuna spento spenta".split())
_WEEKLY = frozenset(("weekly", "every week", "once a week", "settimanale", "settimanali", "ogni settimana"))
SWITCH_WORDS = (_ON | _OFF) - {"0", "1"}
"""Words for on and off."""

_HOURS = re.compile(r"(?:from |dalle )?(\d{1,2})(?:[:.]00)? ?(?:-|–|to|until|alle|fino alle) ?(\d{1,2})(?:[:.]00)?")
_DIGEST = re.compile(r"([a-z ]+?)(?: (?:at |alle )?(\d{1,2})(?:[:.]00)?)?")
_DIGESTS = {"hourly": "hourly", "every hour": "hourly", "ogni ora": "hourly",
            "daily": "daily", "every day": "daily", "ogni giorno": "daily"}  # fmt: skip
_LANGUAGE_NAMES = {"english": "en", "inglese": "en", "italian": "it", "italiano": "it"}
_OFFSET = re.compile(r"(?:utc|gmt) ?([+-]\d{1,2})(?::?00)?")
_BEFORE = re.compile(r",? (?:before|prima)\b.*")
_AND = re.compile(r" ?[,;/&+] ?(?:and |e )?| and | e ")
_HOUR = timedelta(hours=1)
_SHOWN = 6


def plain(text: str) -> str:
    """Normalise: lower case, no accents, closing punctuation or double spaces."""
    letters = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).casefold().rstrip(".! ").split())


def switch(text: str) -> bool:
    """Parse on or off."""
    word = plain(text)
    if word in _ON | _OFF:
        return word in _ON
    raise CommandError(_("This can be on or off, not “{word}”.").format(word=text[:40]))


def licence(text: str) -> str:
    """Parse a licence: `cc0`, or `no`."""
    word = plain(text)
    if word in _ON | {"cc0", "cc-0", "cc 0"}:
        return "cc0"
    if word in _OFF:
        return "no"
    raise CommandError(_("Write cc0 to let everyone use your games, or no."))


def weekly(text: str) -> bool:
    """Parse a choice of weekly or never."""
    word = plain(text)
    if word in _ON | _OFF | _WEEKLY:
        return word not in _OFF
    raise CommandError(_("An exercise comes weekly, or no: write one of these words."))


def is_off(text: str) -> bool:
    """Whether a value means “none”."""
    return plain(text) in _OFF


def language(text: str) -> str:
    """Parse a language of the service; return its code."""
    word = plain(text)
    code = _LANGUAGE_NAMES.get(word, word)
    if code in LANGUAGES:
        return code
    known = listing(list(LANGUAGES.values()), _("or"))
    raise CommandError(_("That language is not available here. You can choose {known}.").format(known=known))


def hours(text: str) -> tuple[int, int] | None:
    """Parse a range of whole hours such as `22-7`; None for off."""
    if is_off(text):
        return None
    match = _HOURS.fullmatch(plain(text))
    if match is None or not all(int(hour) <= 23 for hour in match.groups()):
        raise CommandError(_("Write two whole hours from 0 to 23, for example 22-7, or off."))
    return int(match[1]), int(match[2])


def digest(text: str) -> tuple[str, int | None]:
    """Parse `off`, `hourly`, or `daily` with an optional hour."""
    if is_off(text):
        return "off", None
    match = _DIGEST.fullmatch(plain(text))
    rhythm = _DIGESTS.get(match[1]) if match else None
    if match is None or rhythm is None or int(match[2] or 0) > 23:
        raise CommandError(_("A digest is daily, with an hour from 0 to 23 if you like, or hourly, or off."))
    return rhythm, int(match[2]) if match[2] else None


def delay(text: str) -> int:
    """Parse a delay of letters, in minutes."""
    word = plain(text).split(" ")[0]
    minutes = 0 if is_off(text) else int(word) if word.isdecimal() and len(word) < 6 else -1
    if minutes not in DELAYS:
        raise CommandError(
            _("A letter can wait {choices} minutes.").format(
                choices=listing([str(minutes) for minutes in DELAYS], _("or"))
            )
        )
    return minutes


def leads(text: str) -> tuple[int, ...]:
    """Parse lead times in whole hours, such as `3 days, 12 hours` or `24`."""
    before = _BEFORE.sub("", plain(text))
    lengths = [_lead(piece) for piece in _AND.split(before)]
    if any(length is None or length % _HOUR or length < _HOUR for length in lengths):
        raise CommandError(_("Write how long before the deadline, in days or whole hours: 3 days, 12 hours. Or off."))
    return tuple(length // _HOUR for length in lengths if length is not None)


def _lead(piece: str) -> timedelta | None:
    return _HOUR * int(piece) if piece.isdecimal() and len(piece) < 6 else read_length(piece)


def weekdays(text: str) -> tuple[int, ...]:
    """Parse days of the week (Monday is 0), by name or first three letters; empty for none."""
    if is_off(text):
        return ()
    words = re.split(r"[ ,;/+]+(?:and |e )?", plain(text).removeprefix("and "))
    days = {_weekday(word) for word in words if word not in ("", "and", "e")}
    return tuple(sorted(days))


def _weekday(word: str) -> int:
    for code in LANGUAGES:
        for day, name in enumerate(calendars.weekdays(code)):
            if len(word) >= 3 and plain(name).startswith(word.removesuffix("s") if code == "en" else word):
                return day
    raise CommandError(
        _("“{word}” is not a day of the week. Write for example: sat sun, or none.").format(word=word[:20])
    )


def zone(text: str) -> str:
    """Parse an IANA time zone: its name, a city in any language, or an offset such as UTC+2."""
    word = plain(text).replace(" ", "_")
    found = sorted(_zones_by_word().get(word, ()))
    offset = _OFFSET.fullmatch(plain(text))
    if offset is not None:
        raise CommandError(
            _("An offset changes with summer time. Please write a city in your time zone, for example: {cities}.")
            .format(cities=listing([name.rpartition("/")[2].replace("_", " ") for name in at_offset(int(offset[1]))],
                                   _("or")))
        )  # fmt: skip
    if found and len({_clock(name) for name in found}) == 1:
        return min(found, key=lambda name: (not name.casefold().endswith(word), len(name)))
    if found:
        raise CommandError(
            _("There are several: {zones}. Which one is yours?").format(zones=listing(found[:_SHOWN], _("and")))
        )
    near = [sorted(_zones_by_word()[name])[0] for name in get_close_matches(word, _zones_by_word(), 3, 0.75)]
    sentence = _("No city called “{word}” is known here; write a larger one near you, for example Europe/Rome.")
    hint = _("Do you mean {zones}?").format(zones=listing(list(dict.fromkeys(near)), _("or"))) if near else ""
    raise CommandError(" ".join(filter(None, (sentence.format(word=text[:40]), hint))))


COMMON_ZONES = (
    "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago",
    "America/New_York", "America/Halifax", "America/Sao_Paulo", "Atlantic/Azores", "Europe/London", "Europe/Rome",
    "Europe/Berlin", "Europe/Athens", "Africa/Cairo", "Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata",
    "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip
"""Well-known cities around the world, from west to east."""

_STANDARD = dict(zip(COMMON_ZONES, (-10, -9, -8, -7, -6, -5, -4, -3, -1, 0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 12),
                     strict=True))  # fmt: skip


def at_offset(hour: int) -> tuple[str, ...]:
    """Return well-known zones with this winter offset from UTC in hours, or the nearest ones."""
    least = min(abs(offset - hour) for offset in _STANDARD.values())
    return tuple(name for name, offset in _STANDARD.items() if abs(offset - hour) == least)


def _clock(zone_name: str) -> tuple[object, ...]:
    """Return the January and July offsets of a zone, to compare zones."""
    return tuple(datetime(2026, month, 1, tzinfo=ZoneInfo(zone_name)).utcoffset() for month in (1, 7))


@cache
def _zones_by_word() -> dict[str, frozenset[str]]:
    """Zones by name: the full name, its last part, and the city's name in each language."""
    names: dict[str, set[str]] = {}
    for name in zones():
        names.setdefault(name.casefold(), set()).add(name)
        names.setdefault(name.rpartition("/")[2].casefold(), set()).add(name)
    for code in LANGUAGES:
        for name, data in Locale.parse(code).time_zones.items():
            if name in zones() and "city" in data:
                names.setdefault(plain(str(data["city"])).replace(" ", "_"), set()).add(name)
    return {word: frozenset(found) for word, found in names.items()}


_FORMS = {
    "picture": BoardForm.PICTURE, "diagram": BoardForm.PICTURE, "image": BoardForm.PICTURE, "default": BoardForm.PICTURE,
    "figura": BoardForm.PICTURE, "immagine": BoardForm.PICTURE, "diagramma": BoardForm.PICTURE,
    "words": BoardForm.WORDS, "in words": BoardForm.WORDS, "text": BoardForm.WORDS, "parole": BoardForm.WORDS,
    "a parole": BoardForm.WORDS, "braille": BoardForm.BRAILLE,
}  # fmt: skip


def board_form(text: str) -> BoardForm:
    """Parse the board format: picture, words, or braille display."""
    return _meant(text, _FORMS, _("A board can be shown as picture, words or braille, not as “{word}”."))


_PACES = {
    "at once": RobotPace.AT_ONCE, "now": RobotPace.AT_ONCE, "immediately": RobotPace.AT_ONCE, "subito": RobotPace.AT_ONCE,
    "later": RobotPace.LATER, "slow": RobotPace.LATER, "slowly": RobotPace.LATER, "con calma": RobotPace.LATER,
    "piu tardi": RobotPace.LATER, "usual": RobotPace.USUAL, "as usual": RobotPace.USUAL, "default": RobotPace.USUAL,
    "normal": RobotPace.USUAL, "solito": RobotPace.USUAL, "come al solito": RobotPace.USUAL, "normale": RobotPace.USUAL,
}  # fmt: skip


def robot_pace(text: str) -> RobotPace:
    """Parse the robots' answering speed: at once, later, or default."""
    return _meant(text, _PACES, _("Robots can answer at once, later or as usual, not “{word}”."))


def _meant(text: str, meanings: Mapping[str, _Value], refusal: str) -> _Value:
    """Look up the meaning of a word; raise CommandError(`refusal`) if it is unknown."""
    word = plain(text)
    if word not in meanings:
        raise CommandError(refusal.format(word=text[:40]))
    return meanings[word]


def region(text: str) -> str:
    """Parse a region for public holidays: a country, optionally with a part such as `DE-BY`.

    Empty for none. Raises TimeControlError if it is unknown.
    """
    if is_off(text):
        return ""
    country, _sep, part = text.strip().partition("-")
    return calendars.region_of(_countries().get(plain(country), country), part)


@cache
def _countries() -> dict[str, str]:
    return {plain(name): code for language in LANGUAGES for code, name in calendars.countries(language)}
