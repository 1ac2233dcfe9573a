"""Parsers for command arguments: numbers, handles, games, options and a time control.

A parser takes the rest of the line and `is_certain`: whether the command word was spelt correctly. It returns None if
the rest does not fit, so that the line is talk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from difflib import get_close_matches
from functools import cache

from correspondence.commands.command_types import (
    Away,
    Cancel,
    Challenge,
    Command,
    Counter,
    Help,
    Invite,
    Join,
    Learn,
    Legal,
    Options,
    Pause,
    Preview,
    Puzzle,
    Rules,
    SeekPartner,
    Withdraw,
    Write,
)
from correspondence.commands.help import is_topic
from correspondence.commands.pace import ABSENCE, LONGEST_ABSENCE, LONGEST_PAUSE, UNITS, CommandError, read_pace
from correspondence.commands.registry import Reader
from correspondence.core import robot_handles
from correspondence.core.move_text import looks_like_move
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy, TimeControl
from correspondence.matchmaking.conditions import seats_by_name
from correspondence.rulebook.fairness import means_fairness
from correspondence.rulebook.names import games_with_option, nearest_game, split_name, split_whole_name
from engines import GAMES
from engines.wording import _, listing

GAME_KEYS = tuple(GAMES)
"""Keys of games; a misspelt command word before one of these is still accepted."""

_TO_PLAY = re.compile(r"(?:how )?to play |(?:a|come si) gioca(?:re)? (?:a )?", re.IGNORECASE)
"""Phrases allowed before the game's name after `learn`."""

_NUMBER = re.compile(
    r"(?:(?:game|match|number|challenge|offer|seek|draw|the draw|partita|sfida|ricerca) ?)?#?([0-9]{1,9})\.?"
)
_LEGAL = re.compile(r"(?:(?:game )?#?([0-9]{1,9})(?: |$))?((?:[A-Za-z]{1,2}[0-9]{0,2}|[a-z]+:[A-Za-z0-9]+|exchange)?)")
_TO = re.compile(r"(?:to|at|a)(?: a game of)? ", re.IGNORECASE)
_HANDLE = re.compile(r"""[^\s@<>"',;:=?!]{1,40}""")
_ROBOT = re.compile(r"(?:the |a |il |un )?robot(?:[ -]?([0-9]{1,2}))?(?= )", re.IGNORECASE)
_KEY = re.compile(r"[a-z][a-z0-9-]{2,29}")
_TOPIC = re.compile(r"[^\W\d_][\w-]{2,29}")
_WORDS_OF_RULES = 6
_HELP_WITHOUT_TOPIC = ("me", "please", "me please", "per favore", "bitte")
_ADDRESS = re.compile(r"[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,255}")
_MOVE_NUMBERS = re.compile(r" (?:[0-9]{1,3}\.+|(?:and )?then|and)(?= )| [0-9]{1,3}\.+(?=[^ 0-9.])", re.IGNORECASE)
_OPTION = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)=(\S+)")


def number_reader(kind: Callable[[int | None], Command], *, also: str = "") -> Reader:
    """Return a parser for an optional number; `also` holds phrases (split by |) that mean none."""

    def read(rest: str, is_certain: bool) -> Command | None:
        """Parse the number in `rest`; None if `rest` is something else."""
        if not rest or rest.casefold() in also.split("|"):
            return kind(None)
        number = _NUMBER.fullmatch(rest.casefold())
        return kind(int(number[1])) if number else None

    return read


_OFFERS = {
    "draw": "draw", "patta": "draw", "pause": "pause", "pausa": "pause", "takeback": "takeback", "take-back": "takeback",
}  # fmt: skip
_OWN = re.compile(r"(?:the|a|my|la|una|il mio|la mia) ")
_ARTICLE = re.compile(r"(?:the|a|la|una) ")


def answer_reader(kind: Callable[[int | None, str], Command]) -> Reader:
    """Return a parser for an answer to an offer; a number or a kind is optional."""

    def read(rest: str, is_certain: bool) -> Command | None:
        """Parse the number or the kind in `rest`; None if `rest` is something else."""
        word = _ARTICLE.sub("", rest.casefold(), count=1)
        if word in _OFFERS:
            return kind(None, _OFFERS[word])
        return number_reader(lambda number: kind(number, ""), also="challenge|the challenge")(rest, is_certain)

    return read


def read_legal(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `legal`: a game's number and the start of a move, both optional."""
    words = rest.rstrip(".!? ").removeprefix("moves").strip()
    match = _LEGAL.fullmatch(words) if is_certain else None
    return None if match is None else Legal(int(match[1]) if match[1] else None, match[2])


def read_join(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `join`."""
    handle = rest.removeprefix("as ").rstrip(".! ")
    if _HANDLE.fullmatch(handle):
        return Join(handle) if is_certain else None
    return _talk_or_missing(rest, is_certain, _("Say which name you want, for example: join ann7"))


def read_rules(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `rules`: a game, and optionally a part of its rules."""
    words = rest.casefold().rstrip(".!? ").split()
    key = "-".join(words)
    if not words or not is_certain:
        return Rules() if is_certain else Rules(key) if key in GAME_KEYS else None
    if means_fairness(" ".join(words)):
        return Rules("fairness")
    named = split_name(words) if len(words) <= _WORDS_OF_RULES else None
    if named is not None:
        return Rules(*named)
    if 1 < len(words) <= _WORDS_OF_RULES and nearest_game(words[0]):
        return Rules(words[0], " ".join(words[1:]))
    is_one_word = len(words) == 1 and _TOPIC.fullmatch(key)
    return Rules(key) if is_one_word or games_with_option(" ".join(words)) else None


def read_help(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `help`; one unknown word is answered with the list of topics."""
    words = rest.casefold().rstrip(".!? ").split()
    if not is_certain or not words:
        return None
    if " ".join(words) in _HELP_WITHOUT_TOPIC:
        return Help()
    fits = is_topic(" ".join(words)) or (len(words) == 1 and _TOPIC.fullmatch(words[0]))
    return Help(" ".join(words)) if fits else None


def read_seek(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `seek`."""
    key, words = _key_and_words(rest)
    if not key:
        return _talk_or_missing(
            rest, is_certain, _("Say which game you want to play, for example: seek plateau 3 days")
        )
    terms = _terms(words, is_certain and _is_known_game(key))
    return SeekPartner(key, *terms) if terms and (is_certain or _is_known_game(key)) else None


def read_challenge(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `challenge`: a handle and a game, or a robot's level or handle."""
    handle, _blank, more = rest.partition(" ")
    robot = _ROBOT.match(rest)
    more = _without_to(rest[robot.end() :].lstrip() if robot else more)
    key, words = _key_and_words(more)
    if robot and key:
        handle = robot_handles.handle_of(key, int(robot[1] or robot_handles.USUAL_LEVEL))
    elif (named := robot_handles.game_of(handle.rstrip(".!"))) and not _is_known_game(key):
        key, words = named, more.split()
    if not key:
        return _talk_or_missing(
            more, is_certain, _("Say whom you challenge, and to which game, for example: challenge ann duel")
        )
    if not _HANDLE.fullmatch(handle) or not (is_certain or _is_known_game(key)):
        return None
    terms = _terms(words, _is_known_game(key))
    return Challenge(handle, key, terms[0], terms[1], _said_rated(words)) if terms else None


def _without_to(text: str) -> str:
    """Drop a leading “to”: “to duel 3 days” becomes “duel 3 days”."""
    match = _TO.match(text)
    return text[match.end() :] if match else text


def read_invite(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `invite`."""
    address, _blank, more = rest.partition(" ")
    address = address.removeprefix("mailto:").strip("<>")
    if rest and not _ADDRESS.fullmatch(address):
        return None
    more = _without_to(more)
    key, words = _key_and_words(more)
    if not key:
        return _talk_or_missing(
            more, is_certain, _("Say whom you invite, and to which game, for example: invite ann@example.org duel")
        )
    terms = _terms(words, is_certain)
    return Invite(address, key, *terms) if terms and (_is_known_game(key) or is_certain) else None


def read_counter(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `counter`: an optional number, then the changed terms."""
    first_word, _blank, others = rest.partition(" ")
    is_length = others.split(" ")[0].casefold().rstrip(".,") in UNITS  # “counter 3 days” gives a time, not the number 3
    number = None if is_length else _NUMBER.fullmatch(first_word.casefold())
    words = re.sub(r" ?= ?", "=", others if number else rest).split()
    if not words:
        return _talk_or_missing(
            "", is_certain, _("Say what should be different, for example: counter 7 board=sun 3 days")
        )
    terms = _terms(words, is_certain and any(word[0].isdigit() or "=" in word for word in words))
    if terms is None:
        return None
    return Counter(int(number[1]) if number else None, terms[0], terms[1], _said_rated(words))


WITHDRAWN = {"seek": "seek", "challenge": "seek", "invitation": "seek"}
"""Words before the number in `withdraw seek 5`, with what they mean; features add theirs."""

_NAMED = re.compile(r"(?:from )?(?:the |my )?([a-z]{3,20}) #?([0-9]{1,9})[.!]?")


def read_withdraw(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `withdraw`: a number, perhaps of a named kind, an offer in a game, or nothing."""
    number = _NUMBER.fullmatch(rest.casefold())
    if number:
        return Withdraw(int(number[1]))
    named = _NAMED.fullmatch(rest.casefold())
    if named and named[1] in WITHDRAWN:
        return Withdraw(int(named[2]), WITHDRAWN[named[1]])
    word = _OWN.sub("", rest.casefold().rstrip(".! "), count=1).removesuffix(" offer")
    if word in _OFFERS:
        return Withdraw(what=_OFFERS[word])
    return Withdraw() if is_certain and not rest else None


def read_write(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `write`: a handle, a colon, and the text."""
    handle, colon, text = rest.partition(":")
    is_meant = bool(colon) and is_certain and _HANDLE.fullmatch(handle.strip().removeprefix("to "))
    return Write(handle.strip().removeprefix("to "), text.strip()) if is_meant else None


def read_away(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `away`."""
    if not rest:
        return _talk_or_missing(rest, is_certain, _("Say for how many days, for example: away 5 days"))
    days = _days(rest)
    if days is not None and not 1 <= days <= LONGEST_ABSENCE:
        raise CommandError(
            _("You can be away for 1 to {most} days, for example: away 5 days").format(most=LONGEST_ABSENCE)
        )
    return None if days is None else Away(days)


def read_pause(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `pause`: a number of days, or nothing."""
    if not rest:
        return Pause() if is_certain else None
    days = _days(rest)
    if days is not None and not 1 <= days <= LONGEST_PAUSE:
        raise CommandError(_("A pause lasts 1 to {most} days, for example: pause 5 days").format(most=LONGEST_PAUSE))
    return None if days is None else Pause(days)


def _days(rest: str) -> int | None:
    """Convert a length of time to whole days; None if it is not one."""
    match = ABSENCE.fullmatch(rest.casefold().rstrip(".! "))
    return int(match[1]) * UNITS.get(match[2] or "days", timedelta(0)).days if match else None


def read_preview(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `preview`."""
    line = _MOVE_NUMBERS.sub(" ", f" {rest} ").strip()
    first, _blank, _more = line.partition(" ")
    if looks_like_move(first) or looks_like_move(line) or (is_certain and _has_square(line)):
        return Preview(line)
    return _talk_or_missing(rest, is_certain, _("Say which moves you want to try, for example: preview e4 e5"))


def _has_square(line: str) -> bool:
    """Whether the line names a square, and so is meant for `preview` even if it is invalid."""
    return any(char.isdigit() for word in line.split() for char in word if looks_like_move(word))


def read_puzzle(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `puzzle`: options only, or “today”."""
    if rest.casefold().rstrip(".! ") in ("daily", "today", "of the day", "oggi", "di oggi", "del giorno"):
        return Puzzle(daily=True)
    matches = [_OPTION.fullmatch(word) for word in rest.split()]
    options = tuple((match[1].casefold(), match[2]) for match in matches if match)
    return Puzzle(options) if options and len(options) == len(matches) else None


def read_learn(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `learn`: a game's key or name; anything else is talk."""
    words = _TO_PLAY.sub("", rest).rstrip(".! ").split()
    if not words:
        return _talk_or_missing(rest, is_certain, _("Say which game you want to learn, for example: learn duel"))
    named = split_name(words) if len(words) <= _WORDS_OF_RULES else None
    if named is not None:
        return None if named[1] else Learn(named[0])
    near = nearest_game(words[0]) if len(words) == 1 and is_certain else ""
    return Learn(near) if near else None


def read_cancel(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `cancel`."""
    target = rest.casefold().rstrip(".! ")
    if not target:
        return Cancel()
    return next((Cancel(what) for what, names in _CANCEL_TARGETS.items() if target in names), None)


def _talk_or_missing(rest: str, is_certain: bool, sentence: str) -> Command | None:
    """Return None if `rest` is talk; raise CommandError(`sentence`) if arguments are missing."""
    if is_certain and not rest:
        raise CommandError(sentence)
    return None


def _key_and_words(text: str) -> tuple[str, list[str]]:
    """Split off the game at the start of `text`; return its key and the other words.

    A key may be written with spaces: “lines of action” for `lines-of-action`.
    """
    words = re.sub(r" ?= ?", "=", text).split()
    named, count = split_whole_name(words)
    if named:
        return named, words[count:]
    if words and _KEY.fullmatch(words[0].casefold().rstrip(".!,")):
        return words[0].casefold().rstrip(".!,"), words[1:]
    return "", words


def _is_known_game(key: str) -> bool:
    return key in GAME_KEYS or bool(get_close_matches(key, GAME_KEYS, 1, 0.75))


def _terms(words: list[str], is_certain: bool) -> tuple[Options, TimeControl | None, bool] | None:
    """Parse options, time control and `rated`; None if uncertain words are not terms."""
    options: dict[str, str] = {}
    other_words = []
    for word in _seats_as_options(words):
        option = _OPTION.fullmatch(word.rstrip(","))
        if option and option[1].lower() in options:
            raise CommandError(_("The option “{name}” is given twice.").format(name=option[1]))
        if option:
            options[option[1].lower()] = option[2]
        else:
            other_words.append(word)
    rated = not _UNRATED & {word.casefold().strip(".,!") for word in other_words}
    pace_text = " ".join(word for word in other_words if word.casefold().strip(".,!") not in _RATED | _UNRATED)
    try:
        policy = options.pop("policy", None)
        time_control = _with_policy(policy, read_pace(pace_text) if pace_text else None)
        return tuple(options.items()), time_control, rated
    except CommandError:
        if is_certain:
            raise
        return None


def _seats_as_options(words: Sequence[str]) -> list[str]:
    """Rewrite “white” and “as White” as `seat=white`."""
    found: list[str] = []
    for word in words:
        if (name := word.casefold().strip(".,!")) not in _seat_names():
            found.append(word)
            continue
        while found and found[-1].casefold() in _BEFORE_SEATS:
            found.pop()
        found.append(f"seat={name}")
    return found


@cache
def _seat_names() -> frozenset[str]:
    return frozenset(name for game in GAMES.values() if len(game.seats) > 1 for name in seats_by_name(game.seats))


def _said_rated(words: list[str]) -> bool | None:
    """Whether the words ask for a rated game; None if they do not say."""
    lower_words = {word.casefold().strip(".,!") for word in words}
    return not lower_words & _UNRATED if lower_words & (_RATED | _UNRATED) else None


def _with_policy(policy_text: str | None, time_control: TimeControl | None) -> TimeControl | None:
    """Add the time-out policy to a time control. Raises CommandError if the policy is unknown."""
    if policy_text is None:
        return time_control
    try:
        return replace(time_control or DEFAULT_TIME_CONTROL, policy=Policy(policy_text.casefold().strip(".,!")))
    except ValueError:
        names = listing(list(Policy), _("or"))
        raise CommandError(
            _("policy says what happens when time runs out: it is {names}, not “{word}”.").format(
                names=names, word=policy_text[:20]
            )
        ) from None


_CANCEL_TARGETS = {
    "plan": ("plan", "my plan", "the plan", "if", "piano", "il piano", "il mio piano"),
    "talk": (
        *("talk", "my talk", "words", "my words", "the words", "message", "my message", "the message", "what i said"),
        *("parole", "le parole", "le mie parole", "messaggio", "il messaggio", "il mio messaggio"),
    ),
}
_BEFORE_SEATS = frozenset({"as", "play", "playing", "with", "come", "gioco", "con", "il", "col"})
_RATED = frozenset({"rated", "serious"})
_UNRATED = frozenset({"unrated", "friendly"})
