"""Types shared by the command handlers: the sender of a mail, the outcome, and the handler signature."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.core.signing import Signer
from correspondence.models import LOST, Letter, Match, Person, Player, Token
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from correspondence.play.move_reading import MoveReader
from correspondence.play.standing_offers import NOTHING_SEEN, Seen
from engines.wording import _

MOST_READ = 14
"""How many texts of a mail the games parse to tell moves from talk; a move that is played is one more."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a mail, the match it belongs to (if any), and how far the sender is authenticated.

    `ply` is the position that the answered letter showed, None if unknown; `choices` are the numbered choices that it
    offered. `subject` reads the subject of the mail, and `replied` is the letter of ours that it answers, if it is known.
    `received_at` is when our server took the mail, None for a line that came from a page.
    `is_believed`: a token or our mail server vouches for the sender, not only a From line. `is_doubtful`:
    there is a token, but our mail server found the From line forged. `is_confirmed`: a yes to a letter that asked for
    just this. `name` is the display name in From. Reports go to the address `operator`.
    """

    person: Person
    player: Player | None
    match: Match | None
    now: datetime
    rng: random.Random
    token: Token | None = None
    ply: int | None = None
    choices: tuple[str, ...] = ()
    subject: Callable[[], str] = str
    replied: Letter | None = None
    received_at: datetime | None = None
    name: str = ""
    is_believed: bool = True
    is_doubtful: bool = False
    is_confirmed: bool = False
    operator: str = ""
    signer: Signer = field(default_factory=lambda: Signer("", Path()))
    """What signs the records that are asked for."""
    reader: MoveReader = field(default_factory=lambda: MoveReader(MOST_READ), compare=False)
    """What reads lines as moves, shared by all games of the mail."""


@dataclass(slots=True)
class MailOutcome:
    """The result of a mail: the transcript entries, and whether the sender must get them."""

    entries: list[TranscriptEntry] = field(default_factory=list)
    must_answer: bool = False
    show_board: bool = False
    outcome: str = "nothing to do"
    acted: bool = False
    asks_to_resign: bool = False
    """Whether the sender is still to be asked if they resign, in one letter with the entries."""
    asks_again: bool = False
    """Whether it asks the question of the answered letter again, so that a reply answers that."""
    proposed: list[cmd.Command] = field(default_factory=list)
    """Commands that wait for a confirmation, because only a From line vouches for them."""
    played: matches.Played | None = None
    """The move that was played, if one was."""
    subject: str = ""
    """The subject of the answer; empty for that of the commands."""
    about: Sender | None = None
    """The sender in the one game that all of it is about; None for that of the mail's address, if any."""


Handler = Callable[[Session, Sender, Any], TranscriptEntry | None]
"""Executes one command; returns the answer, or None if a separate letter gives it."""

Handlers = Mapping[type[cmd.Command], Handler]
"""The handler of each command class."""


def player_of(sender: Sender) -> Player:
    """Return the sender as a player of the game; raises MatchError if the mail belongs to no game."""
    if sender.player is None:
        raise matches.MatchError(reply_to_game_letter())
    return sender.player


def seen_by(sender: Sender) -> Seen:
    """What the sender had before them when they offered or answered something in a game: the letter that they answer."""
    letter, match = sender.replied, sender.match
    if sender.ply == LOST:
        return Seen(ply=LOST)
    if letter is None or match is None or (letter.match_id != match.id and sender.ply is None):
        return NOTHING_SEEN
    return Seen(told_at=letter.created_at)


def reply_to_game_letter() -> str:
    """Ask the sender to reply to a letter of the game."""
    return _("Please say that in reply to a letter of the game you mean.")


def command_in(line: str) -> cmd.Command:
    """Parse a line; an invalid command becomes `Other`."""
    try:
        return cmd.read_line(line)
    except cmd.CommandError:
        return cmd.Other(line)


def refusal(line: str, error: Exception) -> TranscriptEntry:
    """Return a refusal as a transcript entry, with suggestions of what to try instead."""
    return TranscriptEntry(line, str(error), tuple(getattr(error, "suggestions", ())))


def second_action() -> str:
    """Refuse a line that would act on a game on which the mail has acted already."""
    return _("One mail does one thing to a game: this line was not carried out. Please send it by itself.")
