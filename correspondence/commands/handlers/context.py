"""Shared types of the command handlers: sender of a mail, outcome, and handler signature."""

from __future__ import annotations

import random
from collections.abc import Callable
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
"""Maximum number of a mail's texts that engines parse, besides a move that is played."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a mail, its match (if any), and how far the sender is authenticated.

    `ply` is the position that the answered letter showed, None if unknown; `choices` are its numbered choices.
    `subject` returns the subject of the mail, and `replied` is our letter that it answers, if known. `received_at` is
    when our server accepted the mail, None for a line from a page. `is_believed`: a token or our mail server vouches
    for the sender, not only a From line. `is_doubtful`: there is a token, but our mail server found the From line
    forged. `is_confirmed`: a yes to a letter that asked for exactly this. `name` is the display name in From. Reports
    go to the address `operator`. Commands of the features in `features_off` are refused.
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
    features_off: frozenset[str] = frozenset()
    signer: Signer = field(default_factory=lambda: Signer("", Path()))
    """Signs the records that the mail asks for."""
    reader: MoveReader = field(default_factory=lambda: MoveReader(MOST_READ), compare=False)
    """Reads lines as moves, with one limit for all games of the mail."""


@dataclass(slots=True)
class MailOutcome:
    """The result of a mail: the transcript entries, and whether the sender must get them."""

    entries: list[TranscriptEntry] = field(default_factory=list)
    must_answer: bool = False
    show_board: bool = False
    outcome: str = "nothing to do"
    acted: bool = False
    asks_to_resign: bool = False
    """Whether to ask the sender to confirm resigning, in one letter with the entries."""
    asks_again: bool = False
    """Whether the answer repeats the answered letter's question, so that a reply answers it."""
    proposed: list[cmd.Command] = field(default_factory=list)
    """Commands that wait for a confirmation, because only a From line vouches for them."""
    played: matches.Played | None = None
    """The move that was played, if any."""
    subject: str = ""
    """The subject of the answer; if empty, it is derived from the commands."""
    about: Sender | None = None
    """The sender in the one game that the whole mail is about; None is the address's game."""


Handler = Callable[[Session, Sender, Any], TranscriptEntry | None]
"""A handler: executes one command and returns the answer, or None if a separate letter does."""


def player_of(sender: Sender) -> Player:
    """Return the sender as a player. Raises MatchError if the mail belongs to no game."""
    if sender.player is None:
        raise matches.MatchError(reply_to_game_letter())
    return sender.player


def seen_by(sender: Sender) -> Seen:
    """Return which letter or position the sender had seen when making or answering an offer."""
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
    """Return a refusal as a transcript entry, with suggestions."""
    return TranscriptEntry(line, str(error), tuple(getattr(error, "suggestions", ())))


def second_action() -> str:
    """Refuse a second action on the same game in one mail."""
    return _("One mail can do only one thing in a game, so this line was not carried out. Please send it by itself.")
