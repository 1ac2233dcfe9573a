"""Lines without a clear game, or without proof of their writer: asked about, never guessed.

If one running game fits, the answer is a letter of that game: its reply address authenticates the reply, and a number
in it executes the line. If several fit, the numbers name the game too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers import intent
from correspondence.commands.handlers.context import MailOutcome, Sender, refusal
from correspondence.commands.handlers.named_games import is_of_one_game, running_games, sender_in
from correspondence.models.loading import persons_of, players_of, position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from correspondence.play.move_reading import NO_MOVE, Reading
from engines.base import MoveError
from engines.wording import _, listing

LINE_OFFERED = 200
"""Maximum number of characters of a line that a number can stand for."""

GAMES_NAMED = 10
"""Maximum number of games that one question offers."""


def ask(session: Session, sender: Sender, commands: Sequence[cmd.Command], *, is_all: bool) -> MailOutcome:
    """Ask which of the sender's running games these lines are for.

    `is_all`: the mail has no other lines, so the question can be a letter of the one game that fits.
    """
    games = running_games(session, sender)
    fitting = [_fitting(games, command) for command in commands]
    result = MailOutcome(must_answer=True, outcome="asked")
    for command, found in zip(commands, fitting, strict=True):
        if is_all and len(commands) == 1 and len(found) == 1:
            return ask_in_game(session, found[0], commands, is_all=True)
        result.entries.append(_question(session, command, found, games))
    return result


def ask_in_game(session: Session, there: Sender, commands: Sequence[cmd.Command], *, is_all: bool) -> MailOutcome:
    """Offer lines in a letter of the only game that they fit; a number in reply executes one.

    `is_all`: the mail has no other lines, so the numbers of the letter are free for them.
    """
    is_only = is_all and len(commands) == 1
    entries = [_offer(session, there, command, is_only=is_only) for command in commands]
    return MailOutcome(entries, must_answer=True, show_board=True, outcome="asked", about=there)


def ask_by_name(
    session: Session, sender: Sender, number: int, commands: Sequence[cmd.Command], *, is_all: bool
) -> MailOutcome:
    """Offer lines that name a game but came without its reply address, in a letter of that game."""
    try:
        there = sender_in(session, sender, number)
    except MatchError as error:
        return refused(commands, error)
    return ask_in_game(session, there, commands, is_all=is_all)


def refused(commands: Sequence[cmd.Command], error: Exception) -> MailOutcome:
    """Say once, for all lines that name a game, why nothing can be written there."""
    line = commands[0].written if commands else ""
    return MailOutcome([refusal(line, error)], must_answer=True, outcome="refused")


def against(session: Session, there: Sender) -> str:
    """Name a game to one of its players: “Game 7 against bob”."""
    assert there.match is not None
    handles = _opponents(session, there)
    if not handles:
        return _("Game {number}").format(number=there.match.id)
    return _("Game {number} against {opponent}").format(number=there.match.id, opponent=handles)


def _opponents(session: Session, there: Sender) -> str:
    assert there.match is not None
    people = persons_of(session, players_of(session, there.match.id))
    return listing([one.handle for one in people if one.id != there.person.id], _("and"))


def _fitting(games: Sequence[Sender], command: cmd.Command) -> list[Sender]:
    """Return the games that a line fits best, by `_grade`; for other commands, all games."""
    if not isinstance(command, cmd.Other):
        return list(games)
    to_act = [there for there in games if intent.is_to_act(there)]
    grades = [_grade(there, command.line) for there in to_act]
    best = max(grades, default=0)
    if best:
        return [there for there, grade in zip(to_act, grades, strict=True) if grade == best]
    return to_act if len(to_act) == 1 else []


def _grade(there: Sender, line: str) -> int:
    """Grade a line's fit: 2 for a legal move, 1 for half a move or an ambiguous one, 0 for none."""
    assert there.match is not None and there.player is not None
    stated, text = cmd.split_move_number(line)
    if stated not in (None, there.match.ply + 1):
        return 0
    found = intent.tried_text(there, cmd.bare_move(text)) if intent.may_be_read(there, text) else NO_MOVE
    if found is None:  # too many were read already
        return 2 if cmd.looks_like_move(line) else 0
    if found.reading is Reading.TALK:
        return 0
    return 2 if found.reading is Reading.MOVE else int(found.suggests)


def _offer(session: Session, there: Sender, command: cmd.Command, *, is_only: bool) -> TranscriptEntry:
    """Describe a line that a number in reply can execute."""
    name = against(session, there)
    if isinstance(command, cmd.Other):
        if not is_of_one_game(command):
            sentence = _("{game}: to say this to your opponent, please reply to this letter.")
            return TranscriptEntry(command.written, sentence.format(game=name))
        return _offered_move(there, command, name, is_only=is_only)
    if len(command.written) > LINE_OFFERED:
        sentence = _("{game}: please send this line in reply to this letter.")
        return TranscriptEntry(command.written, sentence.format(game=name))
    return TranscriptEntry(command.written, _not_yet(name), (_inner_text(command),))


def _not_yet(name: str) -> str:
    return _("{game}: nothing has been done yet. Reply with the number to do it.").format(game=name)


def _offered_move(there: Sender, command: cmd.Other, name: str, *, is_only: bool) -> TranscriptEntry:
    assert there.match is not None and there.player is not None
    seat, text = there.player.seat, cmd.bare_move(cmd.split_move_number(command.line)[1])
    try:
        view = position_of(there.match).view(seat)
        move = view.write(seat, view.read(seat, text))
    except MoveError as error:
        entry = intent.refusal_of(there, command.written, error)
        return replace(entry, text=f"{name}. {entry.text}")
    sentence = _("{game}: reply 1 to play {move}.").format(game=name, move=move) if is_only else _not_yet(name)
    return TranscriptEntry(command.written, sentence, (move,))


def _inner_text(command: cmd.Command) -> str:
    """Format a command as written in its game's thread."""
    named = cmd.read_line(command.written)
    if isinstance(named, cmd.InGame):
        return named.text
    loose = cmd.loose_name(command.written) if isinstance(named, cmd.Other) else None
    return loose.text if loose else command.written


def _question(
    session: Session, command: cmd.Command, fitting: Sequence[Sender], games: Sequence[Sender]
) -> TranscriptEntry:
    """Ask which of several games a line is about, or say how to name one."""
    if not games:
        return TranscriptEntry(command.written, _("You have no running game that this could refer to."))
    if not fitting or len(command.written) > LINE_OFFERED:
        sentence = _("Which game do you mean? Name it by its number, for example: game {number}: {line}")
        assert games[0].match is not None
        return TranscriptEntry(command.written, sentence.format(number=games[0].match.id, line=command.written[:60]))
    shown = fitting[:GAMES_NAMED]
    lines = [f"game {there.match.id}: {command.written}" for there in shown if there.match is not None]
    labels = [
        _("{line} (against {opponent})").format(line=line, opponent=handles) if handles else line
        for line, there in zip(lines, shown, strict=True)
        for handles in [_opponents(session, there)]
    ]
    sentence = _("In which game? Nothing has been done yet.")
    return TranscriptEntry(command.written, sentence, tuple(labels), "", tuple(lines))
