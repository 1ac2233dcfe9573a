"""Languages and time zones: Babel's catalogues, and times in the reader's zone."""

from __future__ import annotations

import io
import logging
import re
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from babel.dates import format_datetime, format_timedelta
from babel.messages import mofile, pofile

from engines import GAMES
from engines.base import Game
from engines.wording import _, using_translations

log = logging.getLogger(__name__)

_IN_BRACES, _BY_PERCENT = re.compile(r"\{(\w+)"), re.compile(r"%\((\w+)\)")

LANGUAGES = {"en": "English", "it": "Italiano"}
"""Languages that people can choose, by their own names; English is the language of the code."""

_LOCALE = Path(__file__).parents[1] / "locale"


@cache
def translations(language: str) -> NullTranslations:
    """Return the catalogue of a language, with those of games; empty (English) for others."""
    file = _LOCALE / language / "LC_MESSAGES" / "messages.po"
    if language not in LANGUAGES or not file.exists():
        return NullTranslations()
    known = _compiled(file.read_bytes(), language)
    for game in GAMES.values():
        if (brought := _brought(game, language)) is not None:
            known.add_fallback(brought)
    return known


def _brought(game: Game, language: str) -> GNUTranslations | None:
    """Return a plug-in game's catalogue without misfits, which are logged; None if it has none."""
    try:
        source = game.presentation.catalogue(language)
        if not source:
            return None
        catalogue = pofile.read_po(io.BytesIO(source.encode()), locale=language)
        for sentence in misfits(catalogue):
            log.warning("a translation of %s into %s has other placeholders: %s", game.key, language, sentence)
            catalogue.delete(sentence)
        return _of_catalogue(catalogue)
    except Exception:
        log.warning("the translations of %s into %s are left out", game.key, language, exc_info=True)
        return None


def misfits(catalogue: Any) -> list[str]:
    """Return the sentences of a catalogue whose translations use wrong placeholders."""
    messages = [one for one in catalogue if one.id and one.string]
    return [_all(one.id)[0] for one in messages if not all(_fits(one.id, text) for text in _all(one.string))]


def _fits(sentence: Any, translated: str) -> bool:
    english = " ".join(_all(sentence))
    in_braces, by_percent = _IN_BRACES.findall(english), _BY_PERCENT.findall(english)
    try:
        if in_braces:
            translated.format(**dict.fromkeys(in_braces, 0))
        if by_percent:
            translated % dict.fromkeys(by_percent, 0)
    except (KeyError, IndexError, ValueError, TypeError):
        return False
    return True


def _all(words: Any) -> tuple[str, ...]:
    """Return a message as a tuple: itself, or its singular and plural."""
    return tuple(words) if isinstance(words, (tuple, list)) else (words,)


def _compiled(source: bytes, language: str) -> GNUTranslations:
    return _of_catalogue(pofile.read_po(io.BytesIO(source), locale=language))


def _of_catalogue(catalogue: Any) -> GNUTranslations:
    compiled = io.BytesIO()
    mofile.write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


def in_language(language: str) -> AbstractContextManager[None]:
    """Context manager: write sentences in `language` within the block."""
    return using_translations(translations(language))


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones that are accepted (IANA), in order, with older names."""
    return (*sorted(z for z in available_timezones() if "/" in z and not z.startswith("Etc/")), "UTC")


@cache
def listed_zones() -> tuple[str, ...]:
    """Return the time zones that people choose from: one name for each, as in the list by country (`zone.tab`)."""
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    current = {line.split("\t")[2].strip() for line in table.splitlines() if not line.startswith("#")}
    return tuple(zone for zone in zones() if zone in current or zone == "UTC")


@cache
def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of a stored name; UTC (by its `key`) if the name no longer exists."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # these two exceptions are raised for malformed names
        log.warning("the time zone %s no longer exists: UTC is used instead", name)
        return ZoneInfo("UTC")


def lost_zone_notice(zone: str) -> str:
    """Return a notice if the reader's time zone no longer exists; empty otherwise."""
    if zone_of(zone).key == zone:
        return ""
    return _(
        "Your time zone, {zone}, no longer exists. Times are in UTC until you choose another one in your settings."
    ).format(zone=zone)


@lru_cache(maxsize=8_192)
def moment(when: datetime, zone: str, language: str) -> str:
    """Format a time in the reader's zone, such as “Sat 21 Nov, 11:00 CET”."""
    local = when.astimezone(zone_of(zone))
    return f"{format_datetime(local, 'EEE d MMM, HH:mm', locale=language)} {local.tzname()}"


@lru_cache(maxsize=8_192)
def weekday(when: datetime, zone: str, language: str) -> str:
    """Format a date in the reader's zone, such as “Friday 27 November”."""
    return str(format_datetime(when.astimezone(zone_of(zone)), "EEEE d MMMM", locale=language))


@lru_cache(maxsize=8_192)
def span(length: timedelta, language: str) -> str:
    """Format a duration in the reader's language, such as “3 days”."""
    return format_timedelta(length, locale=language, threshold=1.5)


def unit(length: timedelta, language: str) -> str:
    """Format one whole unit, such as “1 hour”, for which `span` would return “60 minutes”."""
    return format_timedelta(length, locale=language, threshold=1)
