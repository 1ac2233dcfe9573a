"""What may follow the words about other people: ratings, block, mute and report.

None of these words is guessed from a slip: “mate” is talk, and to block somebody by mistake is worse than to be asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from correspondence.commands.arguments import GAME_KEYS, Reader
from correspondence.commands.command_types import Command, Mute, Ratings, Report, Unmute
from correspondence.commands.pace import CommandError
from engines.wording import _

_HANDLE = re.compile(r"@?([A-Za-z][A-Za-z0-9_-]{1,39})[.!]?")
_WORDS = re.compile(r"@?([A-Za-z][A-Za-z0-9_-]{1,39})[:,]?\s+(\S.*)")


def read_ratings(rest: str, sure: bool) -> Command | None:
    """Reads what follows `ratings`."""
    key = "-".join(rest.casefold().rstrip(".!? ").removeprefix("in ").split())
    if not key:
        return Ratings() if sure else None
    return Ratings(key) if key in GAME_KEYS else None


def named(kind: Callable[[str], Command], example: str) -> Reader:
    """A reader of a command that needs a handle; `example` shows how it is written."""

    def read(rest: str, sure: bool) -> Command | None:
        handle = _HANDLE.fullmatch(rest)
        if sure and not rest:
            raise CommandError(_("Say whom, for example: {example}").format(example=example))
        return kind(handle[1]) if sure and handle else None

    return read


def read_mute(rest: str, sure: bool) -> Command | None:
    """Reads what follows `mute`: a handle, or nothing where the mail answers a game."""
    return _perhaps_named(Mute, rest, sure)


def read_unmute(rest: str, sure: bool) -> Command | None:
    """Reads what follows `unmute`, likewise."""
    return _perhaps_named(Unmute, rest, sure)


def read_report(rest: str, sure: bool) -> Command | None:
    """Reads what follows `report`: a handle and what happened."""
    if not sure:
        return None
    found = _WORDS.fullmatch(rest)
    if found:
        return Report(found[1], found[2])
    alone = _HANDLE.fullmatch(rest)
    if alone:
        return Report(alone[1], "")
    raise CommandError(_("Say whom, and what happened, for example: report bob7 He threatens me."))


def read_report_after_colon(rest: str, sure: bool) -> Command | None:
    """Reads what follows `report:`: what happened, in the match that the mail answers."""
    return Report(None, rest) if sure else None


def _perhaps_named(kind: Callable[[str | None], Command], rest: str, sure: bool) -> Command | None:
    if not sure:
        return None
    handle = _HANDLE.fullmatch(rest)
    if rest and not handle:
        return None
    return kind(handle[1] if handle else None)
