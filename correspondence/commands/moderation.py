"""Parsers for commands about other people: ratings, block, mute and report.

These command words must be spelt correctly: “mate” is talk, and blocking somebody by mistake is worse than a
question.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from correspondence.commands.arguments import GAME_KEYS
from correspondence.commands.command_types import Command, Mute, Ratings, Report, Unmute
from correspondence.commands.pace import CommandError
from correspondence.commands.registry import Reader
from engines.wording import _

_HANDLE = re.compile(r"@?([A-Za-z][A-Za-z0-9_-]{1,39})[.!]?")
_WORDS = re.compile(r"@?([A-Za-z][A-Za-z0-9_-]{1,39})[:,]?\s+(\S.*)")


def read_ratings(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `ratings`."""
    key = "-".join(rest.casefold().rstrip(".!? ").removeprefix("in ").split())
    if not key:
        return Ratings() if is_certain else None
    return Ratings(key) if key in GAME_KEYS else None


def handle_reader(kind: Callable[[str], Command], example: str) -> Reader:
    """Return a parser for a command that needs a handle; `example` goes into the error message."""

    def read(rest: str, is_certain: bool) -> Command | None:
        """Parse the handle in `rest`; None if it is talk. Raises CommandError without a handle."""
        handle = _HANDLE.fullmatch(rest)
        if is_certain and not rest:
            raise CommandError(_("Say whom, for example: {example}").format(example=example))
        return kind(handle[1]) if is_certain and handle else None

    return read


def read_mute(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `mute`: a handle, or nothing for the match that the mail replies to."""
    return _with_optional_handle(Mute, rest, is_certain)


def read_unmute(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `unmute`: a handle, or nothing for the mail's match."""
    return _with_optional_handle(Unmute, rest, is_certain)


def read_report(rest: str, is_certain: bool) -> Command | None:
    """Parse the arguments of `report`: a handle and what happened."""
    if not is_certain:
        return None
    handle_and_text = _WORDS.fullmatch(rest)
    if handle_and_text:
        return Report(handle_and_text[1], handle_and_text[2])
    handle = _HANDLE.fullmatch(rest)
    if handle:
        return Report(handle[1], "")
    raise CommandError(_("Say whom, and what happened, for example: report bob7 They threaten me."))


def read_report_after_colon(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `report:`: what happened in the match that the mail replies to."""
    return Report(None, rest) if is_certain else None


def _with_optional_handle(kind: Callable[[str | None], Command], rest: str, is_certain: bool) -> Command | None:
    if not is_certain:
        return None
    handle = _HANDLE.fullmatch(rest)
    if rest and not handle:
        return None
    return kind(handle[1] if handle else None)
