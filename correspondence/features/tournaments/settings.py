"""What somebody asks for when they make a tournament: read from words, and checked. Pure.

Mail, pages and programs hand over the same words: `players`, `rounds`, `start` and so on, beside the options of the
game. Contradictory ones are refused in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from correspondence.core.i18n import zone_of
from correspondence.core.integers import whole
from correspondence.core.terms import Terms, read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy, TimeControl
from correspondence.features.tournaments.tables import Format
from correspondence.matchmaking.challenges import game_by_key
from engines.base import Game
from engines.refusal import Refusal
from engines.wording import N_, _, listing

BRISK = TimeControl(timedelta(days=5), timedelta(hours=24), timedelta(days=5))
"""Default time control of formats in which a round waits for its games."""

DEFAULT_PLAYERS = 8
"""Number of entrants if neither a number nor a day is given."""

DEFAULT_ROUND_DAYS = 60

MOST_PLAYERS = 128
MOST_ROUNDS = 9
ADVISED_ROUNDS = 5
MOST_RUNNING_GAMES = 20
MOST_ADVANCING = 3

ROUND_DAYS = range(7, 366)
LATEST_START = timedelta(days=365)
RATINGS = range(0, 4001)

LONGEST_NAME = 60
LONGEST_ABOUT = 600
LONGEST_CODE = 40

FEWEST: Mapping[Format, int] = {Format.ROUND_ROBIN: 3, Format.SWISS: 4, Format.KNOCKOUT: 2}
"""Minimum number of entrants."""

TITLES: Mapping[Format, str] = {
    Format.ROUND_ROBIN: N_("round robin"),
    Format.SWISS: N_("Swiss"),
    Format.KNOCKOUT: N_("knockout"),
}
"""The formats that members make tournaments of."""

NAMES = (
    "name", "about", "players", "rounds", "games", "at_once", "start", "round_days", "final", "advance", "club",
    "rating", "code", "robots",
)  # fmt: skip
"""Words that are the tournament's; all others are options of the game."""

_YES, _NO = ("yes", "on", "true"), ("no", "off", "false", "")


class TournamentError(Refusal):
    """Raised if something about a tournament is refused; str() is a sentence for the person."""


@dataclass(frozen=True, kw_only=True)
class TournamentSettings:
    """Checked settings of a new tournament; the fields are those of the table `Tournament`."""

    format: Format
    terms: Terms
    name: str
    about: str = ""
    players: int | None = None
    rounds: int | None = None
    games: int = 1
    at_once: int | None = None
    starts_at: datetime | None = None
    round_days: int | None = None
    has_final: bool = False
    advance: int = 1
    rating_low: int | None = None
    rating_high: int | None = None
    code: str = ""
    robots_fill: bool = False


def read_settings(
    format_word: str,
    game_word: str,
    words: Mapping[str, str],
    pace: TimeControl | None,
    *,
    is_rated: bool,
    zone: str,
    now: datetime,
) -> TournamentSettings:
    """Read the words of a new tournament; `zone` is the organiser's time zone, in which its day begins.

    Raises TournamentError, ChallengeError, OptionError or TimeControlError.
    """
    kind = read_format(format_word, game_word)
    game = game_by_key(game_word)
    if len(game.seats) != 2:
        sentence = _("{game} is not a game for two, so there are no tournaments of it.")
        raise TournamentError(sentence.format(game=_(game.name)))
    given = {name: " ".join(words[name].split()) for name in NAMES if words.get(name, "").strip()}
    options = {name: text for name, text in words.items() if name not in NAMES}
    _refuse_other_formats(kind, given)
    players, starts_at = _size_and_day(kind, given, zone, now)
    low, high = _rating_band(given.get("rating", ""))
    usual = DEFAULT_TIME_CONTROL if kind is Format.ROUND_ROBIN else BRISK
    terms = read_terms(game, options, automatic(pace or usual), rated=is_rated)
    has_final = _yes_or_no("final", given.get("final", ""))
    if "advance" in given and not has_final:
        raise TournamentError(_("advance says how many reach the final, so write final=yes, too."))
    return TournamentSettings(
        format=kind,
        terms=terms,
        name=read_name(given.get("name", "")) or _usual_name(game, kind),
        about=read_about(words.get("about", "")),
        players=players,
        rounds=_rounds(kind, given, players, game),
        games=_number("games", given, 1, 2) or (2 if kind is Format.KNOCKOUT else 1),
        at_once=_number("at_once", given, 1, MOST_RUNNING_GAMES),
        starts_at=starts_at,
        round_days=_round_days(kind, given),
        has_final=has_final,
        advance=_number("advance", given, 1, MOST_ADVANCING) or 1,
        rating_low=low,
        rating_high=high,
        code=_code(given.get("code", "")),
        robots_fill=_robots(given.get("robots", "")),
    )


def read_format(word: str, game_word: str = "") -> Format:
    """Read a format; raise TournamentError, which names the line to write for a league or ladder."""
    key = word.strip().casefold()
    game = game_word or "duel"
    instead = {
        "league": f"league {game} enter",
        "ladder": f"ladder {game} enter",
    }.get(key)
    if instead is not None:
        sentence = _("A {format} is not made as a tournament. Write instead: {line}")
        raise TournamentError(sentence.format(format=key, line=instead))
    kind = next((one for one in TITLES if one == key), None)
    if kind is None:
        sentence = _("There is no format “{format}”. A tournament is one of: {formats}.")
        known = listing(list(TITLES), _("or"))
        raise TournamentError(sentence.format(format=word.strip()[:40], formats=known))
    return kind


def read_name(text: str) -> str:
    """Check a tournament's name. Raises TournamentError."""
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        sentence = _("A tournament's name is one line of at most {most} characters.")
        raise TournamentError(sentence.format(most=LONGEST_NAME))
    return name


def read_about(text: str) -> str:
    """Check the text about a tournament. Raises TournamentError."""
    about = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if len(about) > LONGEST_ABOUT:
        sentence = _("The text about a tournament has at most {most} characters; this has {count}.")
        raise TournamentError(sentence.format(most=LONGEST_ABOUT, count=len(about)))
    return about


def _refuse_other_formats(kind: Format, given: Mapping[str, str]) -> None:
    """Raise TournamentError for a word that this format does not have, or if no such club exists."""
    only = {
        "rounds": (Format.SWISS,),
        "round_days": (Format.SWISS, Format.KNOCKOUT),
        "at_once": (Format.ROUND_ROBIN,),
        "final": (Format.ROUND_ROBIN,),
        "advance": (Format.ROUND_ROBIN,),
    }
    for name, formats in only.items():
        if name in given and kind not in formats:
            sentence = _("{name} does not belong to a {format}: leave it out.")
            raise TournamentError(sentence.format(name=name, format=_(TITLES[kind])))
    if kind is Format.KNOCKOUT and given.get("games") == "1":
        raise TournamentError(_("In a knockout two games decide, one from each seat: leave games=1 out."))
    if kind is Format.SWISS and given.get("games") == "2":
        raise TournamentError(_("A Swiss has one game in each round: leave games=2 out."))
    if "club" in given:
        raise TournamentError(_("There is no club “{name}” here.").format(name=given["club"][:40]))


def _size_and_day(
    kind: Format, given: Mapping[str, str], zone: str, now: datetime
) -> tuple[int | None, datetime | None]:
    """Return the number of entrants and the first day, one of which may be None."""
    starts_at = _start(given.get("start", ""), zone, now)
    players = _number("players", given, 1, MOST_PLAYERS)
    if players is None and starts_at is None:
        if given.get("start"):
            sentence = _("It can be full only if you say how many play: for example players=8 start=full.")
            raise TournamentError(sentence)
        players = DEFAULT_PLAYERS
    if players is not None and players < FEWEST[kind]:
        raise TournamentError(too_few(kind, players))
    return players, starts_at


def too_few(kind: Format, count: int) -> str:
    """Say that a format needs more entrants."""
    sentence = _("A {format} needs at least {least} entrants; {count} are too few.")
    return sentence.format(format=_(TITLES[kind]), least=FEWEST[kind], count=count)


def _start(text: str, zone: str, now: datetime) -> datetime | None:
    """Read the first day, which begins at midnight in the organiser's zone; None for `full`."""
    if text.casefold() in ("", "full"):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        sentence = _("start is “full” or a day such as {example}, not “{text}”.")
        example = (now + timedelta(days=14)).date().isoformat()
        raise TournamentError(sentence.format(example=example, text=text[:40])) from error
    if day <= now.astimezone(zone_of(zone)).date():
        raise TournamentError(
            _("{day} is not in the future: a tournament begins tomorrow at the earliest.").format(day=text)
        )
    starts_at = datetime(day.year, day.month, day.day, tzinfo=zone_of(zone)).astimezone(UTC)
    if starts_at > now + LATEST_START:
        raise TournamentError(_("{day} is too far away: a tournament begins within a year.").format(day=text))
    return starts_at


def _number(name: str, given: Mapping[str, str], least: int, most: int) -> int | None:
    if name not in given:
        return None
    number = whole(given[name], 10**6)
    if number is None or not least <= number <= most:
        sentence = _("{name} is a whole number from {least} to {most}, not “{text}”.")
        raise TournamentError(sentence.format(name=name, least=least, most=most, text=given[name][:40]))
    return number


def _rounds(kind: Format, given: Mapping[str, str], players: int | None, game: Game) -> int | None:
    """Read the number of rounds of a Swiss, at most half its entrants."""
    rounds = _number("rounds", given, 1, 99)
    if kind is not Format.SWISS or rounds is None:
        return None
    most = min(MOST_ROUNDS, players // 2) if players is not None else MOST_ROUNDS
    if rounds > most:
        sentence = _(
            "A Swiss has at most half as many rounds as entrants, and never more than {highest}: here {most}. To play "
            "more, let all play all: tournament new round-robin {game}{players}"
        )
        size = f" players={players}" if players is not None else ""
        raise TournamentError(sentence.format(highest=MOST_ROUNDS, most=most, game=game.key, players=size))
    return rounds


def _round_days(kind: Format, given: Mapping[str, str]) -> int | None:
    if kind is Format.ROUND_ROBIN:
        return None
    return _number("round_days", given, ROUND_DAYS[0], ROUND_DAYS[-1]) or DEFAULT_ROUND_DAYS


def _rating_band(text: str) -> tuple[int | None, int | None]:
    if not text:
        return None, None
    found = re.fullmatch(r"([0-9]{1,4})? ?[-–] ?([0-9]{1,4})?", text)
    low, high = (int(bound) if bound else None for bound in found.groups()) if found else (None, None)
    if found is None or (low is None and high is None) or (low is not None and high is not None and low > high):
        sentence = _("rating is a band such as 1400-1700, not “{text}”.")
        raise TournamentError(sentence.format(text=text[:40]))
    return low, high


def _code(text: str) -> str:
    if len(text) > LONGEST_CODE or " " in text or not text.isprintable():
        raise TournamentError(_("The code is one word of at most {most} characters.").format(most=LONGEST_CODE))
    return text


def _robots(text: str) -> bool:
    if text.casefold() not in ("", "no", "fill"):
        raise TournamentError(_("robots is “fill” or is left out, not “{text}”.").format(text=text[:40]))
    return text.casefold() == "fill"


def _yes_or_no(name: str, text: str) -> bool:
    if text.casefold() not in _YES + _NO:
        raise TournamentError(_("{name} is yes or no, not “{text}”.").format(name=name, text=text[:40]))
    return text.casefold() in _YES


def automatic(pace: TimeControl) -> TimeControl:
    """Return the pace, with a loss on time at once: nobody else's tournament waits for a claim."""
    return TimeControl(pace.bank, pace.increment, pace.cap, Policy.AUTOMATIC)


def _usual_name(game: Game, kind: Format) -> str:
    return f"{game.name} {TITLES[kind]}"
