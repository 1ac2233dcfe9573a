"""The conditions of a seek, parsed from `name=value` words and checked.

Conditions say how many games, with whom, and until when. The words are the same by mail and in the form, and no game
option has the name of a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.integers import whole
from correspondence.core.language_names import code_of
from correspondence.models import NEVER_AGAIN
from engines.refusal import Refusal
from engines.wording import _

NAMES = ("games", "standing", "rating", "reliability", "again", "language", "days", "pair", "any", "seat", "robots")
"""Names of all conditions."""

MOST_GAMES, MOST_AT_ONCE = 10, 10
"""Maximum number of games of a seek, and of simultaneous games of a standing seek."""

HIGHEST_RATING = 4000
LONGEST_REST = 3650
USUAL_DAYS, LONGEST_DAYS = 30, 180
"""Default and maximum number of days for which a seek is open."""

RATED = "rated"
"""The value of `robots` that asks for rated games with robots."""

_FRESH = {"never": NEVER_AGAIN, "no": NEVER_AGAIN, "always": 0, "yes": 0, "": 0}
_RANGE = re.compile(r"(\d{1,5})?\s*(?:-|–|\.\.|to)\s*(\d{1,5})?")
_LEAST = re.compile(r"(?:>=?|≥)\s*(\d{1,5})|(\d{1,5})\+?")
_MOST = re.compile(r"(?:<=?|≤)\s*(\d{1,5})")
_YES, _NO = frozenset({"yes", "true", "on", "1"}), frozenset({"no", "false", "off", "0", ""})


class ConditionError(Refusal):
    """Raised if conditions are invalid or contradictory; str() is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """A seek's conditions besides game, options and time control.

    The fields are described in `Seek`.
    """

    games_wanted: int = 1
    games_at_once: int = 0
    rating_low: int | None = None
    rating_high: int | None = None
    reliability: int = 0
    rest_days: int = 0
    language: str = ""
    days: int = USUAL_DAYS
    pair_me: bool = False
    any_options: bool = False
    seat: int | None = None
    robots: str = ""

    @property
    def lasts(self) -> timedelta:
        """Time for which the seek is open."""
        return timedelta(days=self.days)


def split_conditions(words: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Split the words of a seek into options of its game and conditions."""
    conditions = {name.casefold(): text for name, text in words.items() if name.casefold() in NAMES}
    return {name: text for name, text in words.items() if name.casefold() not in NAMES}, conditions


def read_conditions(words: Mapping[str, str], seats: tuple[str, ...]) -> Conditions:
    """Parse conditions from `name=value` words; `seats` are the names of the game's seats.

    Raises ConditionError.
    """
    _must_be_known(words)
    texts = {name: text.strip().casefold() for name, text in words.items() if text.strip()}
    low, high = _rating(texts.get("rating", ""))
    conditions = Conditions(
        games_wanted=_number(texts, "games", 1, 1, MOST_GAMES),
        games_at_once=_number(texts, "standing", 0, 0, MOST_AT_ONCE),
        rating_low=low,
        rating_high=high,
        reliability=_number(texts, "reliability", 0, 0, 100, strip=">=≥% "),
        rest_days=_rest(texts.get("again", "")),
        language=_language(texts.get("language", "")),
        days=_number(texts, "days", USUAL_DAYS, 1, LONGEST_DAYS),
        pair_me=_switch(texts, "pair"),
        any_options=_any(texts.get("any", "")),
        seat=_seat(texts.get("seat", ""), seats),
        robots=_robots(texts.get("robots", "")),
    )
    if conditions.games_at_once and conditions.games_wanted > 1:
        sentence = _(
            "A standing offer renews itself, so it can't also count games: choose games=… or standing=…, not both."
        )
        raise ConditionError(sentence)
    if conditions.any_options and not conditions.pair_me:
        raise ConditionError(
            _("any=yes works only together with pair=yes, because the service then chooses the options.")
        )
    return conditions


def _must_be_known(words: Iterable[str]) -> None:
    for name in words:
        if name not in NAMES:
            sentence = _("A seek has no condition “{word}”. The conditions are {names}.")
            raise ConditionError(sentence.format(word=name[:40], names=", ".join(NAMES)))


def _number(texts: Mapping[str, str], name: str, default: int, low: int, high: int, *, strip: str = "") -> int:
    text = texts.get(name, "").strip(strip) if strip else texts.get(name, "")
    if not text:
        return default
    number = whole(text, high)
    if number is None or number < low:
        sentence = _("“{name}” must be a number from {low} to {high}, not “{text}”.")
        raise ConditionError(sentence.format(name=name, low=low, high=high, text=text[:40]))
    return number


def _rating(text: str) -> tuple[int | None, int | None]:
    if not text or text == "any":
        return None, None
    within, least, most = _RANGE.fullmatch(text), _LEAST.fullmatch(text), _MOST.fullmatch(text)
    low, high = within.groups() if within else (least[1] or least[2] if least else None, most[1] if most else None)
    if low is None and high is None:
        sentence = _("“{text}” is not a range of ratings; write for example rating=1400-1800 or rating=1500+.")
        raise ConditionError(sentence.format(text=text[:40]))
    ends = int(low) if low is not None else None, int(high) if high is not None else None
    if any(end is not None and end > HIGHEST_RATING for end in ends):
        raise ConditionError(_("No rating is above {highest}.").format(highest=HIGHEST_RATING))
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        sentence = _("The ratings are in the wrong order: {low} is more than {high}. Did you mean {high} to {low}?")
        raise ConditionError(sentence.format(low=ends[0], high=ends[1]))
    return ends


def _rest(text: str) -> int:
    if text in _FRESH:
        return _FRESH[text]
    days = whole(text, LONGEST_REST)
    if days is None:
        sentence = _(
            "“{text}” doesn't say when you may play the same opponent again: write again=never, or a number of days."
        )
        raise ConditionError(sentence.format(text=text[:40]))
    return days


def _language(text: str) -> str:
    if text in ("", "any"):
        return ""
    code = code_of(text)
    if code is None:
        raise ConditionError(
            _("The language “{text}” is not known here; write for example language=it or language=Italian.").format(
                text=text[:40]
            )
        )
    return code


def _switch(texts: Mapping[str, str], name: str) -> bool:
    text = texts.get(name, "")
    if text not in _YES | _NO | {"me"}:
        raise ConditionError(_("“{name}” can be yes or no, not “{text}”.").format(name=name, text=text[:40]))
    return text not in _NO


def _any(text: str) -> bool:
    return text.startswith("option") or _switch({"any": text}, "any")


def _robots(text: str) -> str:
    if text not in _YES | _NO | {RATED}:
        sentence = _("“robots” can be yes, no, or rated for rated games with them too, not “{text}”.")
        raise ConditionError(sentence.format(text=text[:40]))
    return RATED if text == RATED else "yes" if text in _YES else ""


def _seat(text: str, seats: tuple[str, ...]) -> int | None:
    if text in ("", "any", "either"):
        return None
    seat = seats_by_name(seats).get(text)
    if seat is None:
        names = " / ".join(_(name) for name in seats)
        sentence = _("“{text}” is not a seat of this game; the seats are {seats}.")
        raise ConditionError(sentence.format(text=text[:40], seats=names))
    return seat


@cache
def seats_by_name(seats: tuple[str, ...]) -> Mapping[str, int]:
    """Return the seats of a game by their casefolded names in all languages."""
    names: dict[str, int] = {}
    for language in LANGUAGES:
        with in_language(language):
            names |= {_(name).casefold(): seat for seat, name in enumerate(seats)}
    return names
