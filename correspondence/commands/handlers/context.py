"""Who writes, what came of it, and what every command is carried out with."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence import commands as words
from correspondence.models import Match, Person, Player, Token
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Sender:
    """Who writes, about which match if any, and by what right.

    `ply` is the position that the answered letter showed, None if that is unknown; `choices` are the numbered
    choices it offered. `is_believed` where a token vouches for the writer, or our mail server does, and not a
    From line alone; `is_doubtful` where there is a
    token, but our mail server found that From is not what it says. Reports go to `operator`.
    """

    person: Person
    player: Player | None
    match: Match | None
    now: datetime
    rng: random.Random
    token: Token | None = None
    ply: int | None = None
    choices: tuple[str, ...] = ()
    is_believed: bool = True
    is_doubtful: bool = False
    operator: str = ""
    key: str = ""
    """The secret under which the deal of the day is drawn."""


@dataclass(slots=True)
class Outcome:
    """What came of a mail: the transcript, and whether the writer must see it."""

    sections: list[TranscriptEntry] = field(default_factory=list)
    must_answer: bool = False
    show_board: bool = False
    outcome: str = "nothing to do"
    acted: bool = False
    proposed: list[words.Command] = field(default_factory=list)
    """What waits for a yes, because a From line alone asked for it."""


Handler = Callable[[Session, Sender, Any], TranscriptEntry | None]
"""Carries one command out; returns what to tell the writer, None where a letter says it already."""

Handlers = Mapping[type[words.Command], Handler]
"""Which command is carried out by what."""


def at_table(writer: Sender) -> Player:
    """The player who writes; raises MatchError where the mail belongs to no game."""
    if writer.player is None:
        raise matches.MatchError(no_game())
    return writer.player


def no_game() -> str:
    """What somebody is told whose mail belongs to no game."""
    return _("Please say that in reply to a letter of the game you mean.")


def command_in(line: str) -> words.Command:
    """What a line says; a command that is written wrongly is words like any other."""
    try:
        return words.read_line(line)
    except words.CommandError:
        return words.Other(line)


def refusal(line: str, error: Exception) -> TranscriptEntry:
    """A refusal as a section of the transcript, with what to try instead."""
    return TranscriptEntry(line, str(error), tuple(getattr(error, "suggestions", ())))
