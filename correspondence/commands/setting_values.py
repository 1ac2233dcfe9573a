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
from correspondence.core.i18n import LANGUAGES, translations, zones
from correspondence.core.robot_pace import RobotPace
from correspondence.outbound.schedule import DELAYS
from engines.wording import N_, _, listing

_Value = TypeVar("_Value")

_ON, _OFF = N_("on|yes|true|y"), N_("off|no|none|false|n|never")
_WEEKLY = N_("weekly|every week|once a week")
_HOURLY, _DAILY = N_("hourly|every hour"), N_("daily|every day")
_FROM, _TO, _AT = N_("from|since"), N_("to|until"), N_("at|around")
_BEFORE, _AND = N_("before|ahead"), N_("and|plus")
_OFFSET = re.compile(r"(?:utc|gmt) ?([+-]\d{1,2})(?::?00)?")
_HOUR = timedelta(hours=1)
_SHOWN = 6


def plain(text: str) -> str:
    """Normalise: lower case, no accents, closing punctuation or double spaces."""
    letters = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).casefold().rstrip(".! ").split())


@cache
def words_of(words: str) -> tuple[str, ...]:
    """Return the words of a message such as “on|yes”, then those of its translations, as `plain` gives them."""
    spoken = (words, *(translations(language).gettext(words) for language in LANGUAGES))
    return tuple(dict.fromkeys(plain(word) for one in spoken for word in one.split("|")))


def _any_of(words: str) -> str:
    """Return a pattern of these words in every language, longest first."""
    return "|".join(map(re.escape, sorted(words_of(words), key=len, reverse=True)))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Compile a pattern of values, which depends on the languages of the service."""
    hour = r"(\d{1,2})(?:[:.]00)?"
    patterns = {
        "hours": rf"(?:(?:{_any_of(_FROM)}) )?{hour} ?(?:-|–|{_any_of(_TO)}) ?{hour}",
        "digest": rf"([a-z ]+?)(?: (?:(?:{_any_of(_AT)}) )?{hour})?",
        "before": rf",? (?:{_any_of(_BEFORE)})\b.*",
        "and": rf" ?[,;/&+] ?(?:(?:{_any_of(_AND)}) )?| (?:{_any_of(_AND)}) ",
    }
    return re.compile(patterns[name])


def is_switch_word(text: str) -> bool:
    """Whether a value is a word for on or off."""
    return plain(text) in (*words_of(_ON), *words_of(_OFF))


def switch(text: str) -> bool:
    """Parse on or off."""
    word = plain(text)
    if word in ("1", "0") or is_switch_word(text):
        return word == "1" or word in words_of(_ON)
    raise CommandError(_("This can be on or off, not “{word}”.").format(word=text[:40]))


def licence(text: str) -> str:
    """Parse a licence: `cc0`, or `no`."""
    word = plain(text)
    if word in (*words_of(_ON), "1", "cc0", "cc-0", "cc 0"):
        return "cc0"
    if is_off(text):
        return "no"
    raise CommandError(_("Write cc0 to let everyone use your games, or no."))


def weekly(text: str) -> bool:
    """Parse a choice of weekly or never."""
    if is_off(text) or plain(text) in (*words_of(_ON), *words_of(_WEEKLY), "1"):
        return not is_off(text)
    raise CommandError(_("An exercise comes weekly, or no: write one of these words."))


def is_off(text: str) -> bool:
    """Whether a value means “none”."""
    return plain(text) in (*words_of(_OFF), "0")


def language(text: str) -> str:
    """Parse a language of the service; return its code."""
    word = plain(text)
    code = _language_names().get(word, word)
    if code in LANGUAGES:
        return code
    known = listing(list(LANGUAGES.values()), _("or"))
    raise CommandError(_("That language is not available here. You can choose {known}.").format(known=known))


@cache
def _language_names() -> dict[str, str]:
    """Codes of the service's languages by their names in each of them."""
    return {plain(Locale(code).get_language_name(spoken) or code): code for code in LANGUAGES for spoken in LANGUAGES}


def hours(text: str) -> tuple[int, int] | None:
    """Parse a range of whole hours such as `22-7`; None for off."""
    if is_off(text):
        return None
    match = _pattern("hours").fullmatch(plain(text))
    if match is None or not all(int(hour) <= 23 for hour in match.groups()):
        raise CommandError(_("Write two whole hours from 0 to 23, for example 22-7, or off."))
    return int(match[1]), int(match[2])


_DIGESTS = {"hourly": _HOURLY, "daily": _DAILY}


def digest(text: str) -> tuple[str, int | None]:
    """Parse `off`, `hourly`, or `daily` with an optional hour."""
    if is_off(text):
        return "off", None
    match = _pattern("digest").fullmatch(plain(text))
    rhythm = next((one for one, words in _DIGESTS.items() if match and match[1] in words_of(words)), None)
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


def limit(text: str) -> int | None:
    """Parse a number of games, such as `12` or `12 games`; None for off."""
    word = plain(text).split(" ")[0]
    if is_off(text) or not word:
        return None
    if not (word.isdecimal() and len(word) < 6):
        raise CommandError(_("Write how many games you want at once, for example 12, or off."))
    return int(word)


def leads(text: str) -> tuple[int, ...]:
    """Parse lead times in whole hours, such as `3 days, 12 hours` or `24`."""
    before = _pattern("before").sub("", plain(text))
    lengths = [_lead(piece) for piece in _pattern("and").split(before)]
    if any(length is None or length % _HOUR or length < _HOUR for length in lengths):
        raise CommandError(_("Write how long before the deadline, in days or whole hours: 3 days, 12 hours. Or off."))
    return tuple(length // _HOUR for length in lengths if length is not None)


def _lead(piece: str) -> timedelta | None:
    return _HOUR * int(piece) if piece.isdecimal() and len(piece) < 6 else read_length(piece)


def weekdays(text: str) -> tuple[int, ...]:
    """Parse days of the week (Monday is 0), by name or first three letters; empty for none."""
    if is_off(text):
        return ()
    days = {_weekday(word) for word in re.split(r"[ ,;/+]+", plain(text)) if word and word not in words_of(_AND)}
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
    BoardForm.PICTURE: N_("picture|diagram|image|default"),
    BoardForm.WORDS: N_("words|in words|text"),
    BoardForm.BRAILLE: "braille",
}


def board_form(text: str) -> BoardForm:
    """Parse the board format: picture, words, or braille display."""
    return _meant(text, _FORMS, _("A board can be shown as picture, words or braille, not as “{word}”."))


_PACES = {
    RobotPace.AT_ONCE: N_("at once|now|immediately"),
    RobotPace.LATER: N_("later|slow|slowly"),
    RobotPace.USUAL: N_("usual|as usual|default|normal"),
}


def robot_pace(text: str) -> RobotPace:
    """Parse the robots' answering speed: at once, later, or default."""
    return _meant(text, _PACES, _("Robots can answer at once, later or as usual, not “{word}”."))


def _meant(text: str, meanings: Mapping[_Value, str], refusal: str) -> _Value:
    """Return the value of which a word is one; raise CommandError(`refusal`) if there is none."""
    word = plain(text)
    found = next((value for value, words in meanings.items() if word in words_of(words)), None)
    if found is None:
        raise CommandError(refusal.format(word=text[:40]))
    return found


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
