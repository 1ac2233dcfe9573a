"""Assigns each line of a mail to a game: by its own name, or the address, subject or letter.

A line in a mail to a game's address is about that game, unless it names another. In other mail the game comes from
the line, the subject (`game 7`) or the answered letter, if that concerns only one game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence import commands as cmd
from correspondence.accounts import accounts
from correspondence.commands import registry
from correspondence.commands.handlers.context import Sender, command_in
from correspondence.models import STALE, Letter, Match, Move, Player, Purpose, TakenBackMove, Token
from correspondence.models.loading import players_of, position_of
from correspondence.play.matches import MatchError
from correspondence.play.move_reading import Reading
from correspondence.play.puzzles import may_see
from engines.wording import _

_GAME_LINK = re.compile(r"%%base%%/games/([0-9]{1,9})\b")


@dataclass(slots=True)
class Part:
    """Lines of a mail about the same game; `game` None is the address's game, or no game."""

    game: int | None
    commands: list[cmd.Command] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines joined into one text."""
        return "\n".join(self.lines)


def is_of_one_game(command: cmd.Command) -> bool:
    """Whether a line must be about one game: a move, or a command such as `draw`."""
    if isinstance(command, cmd.Other):
        return cmd.looks_like_move(command.line) or cmd.resembles_move(command.line)
    if isinstance(command, cmd.Withdraw):
        return command.number is None
    return registry.of(command).is_of_one_game


def may_act(sender: Sender) -> bool:
    """Whether the mail has the sender's own token; otherwise no line acts on a game."""
    token = sender.token
    return sender.is_believed and token is not None and token.person_id == sender.person.id


def with_choices(sender: Sender, commands: Sequence[cmd.Command], text: str) -> tuple[list[cmd.Command], str]:
    """Replace chosen numbers by the commands that they stand for in the answered letter.

    Numbers that stand for moves or words are left unchanged.
    """
    chosen = {
        str(number): replace(command, written=line)
        for number, line in enumerate(sender.choices, start=1)
        if not isinstance(command := command_in(line), cmd.Other)
    }
    if not chosen:
        return list(commands), text
    lines = [chosen[number].written if (number := _number(line)) in chosen else line for line in text.splitlines()]
    return [chosen.get(_number(command.written), command) for command in commands], "\n".join(lines)


def _number(line: str) -> str:
    return cmd.bare_move(line).strip("()# ")


def parts(session: Session, sender: Sender, commands: Sequence[cmd.Command], text: str) -> list[Part]:
    """Group the lines of a mail by game, in order of first mention."""
    if sender.token is not None and sender.token.purpose == Purpose.CONTACT:  # the whole mail is a letter to a member
        return [Part(None, [_as_words(command) for command in commands], text.splitlines())]
    sorting = _Sorting(session, sender, commands)
    if sorting.default is None and not any(sorting.name_of(command) for command in commands):
        return [Part(None, list(commands), text.splitlines())]
    return sorting.sorted_parts(text.splitlines())


def _as_words(command: cmd.Command) -> cmd.Command:
    return cmd.Other(command.written, written=command.written) if isinstance(command, cmd.InGame) else command


class _Sorting:
    """Groups the lines of one mail by game."""

    def __init__(self, session: Session, sender: Sender, commands: Sequence[cmd.Command]) -> None:
        self._session, self._sender, self._commands = session, sender, commands
        self._own: dict[int, bool] = {}
        self._parts: dict[int | None, Part] = {}
        self._headings: set[int | None] = set()
        self.default = self._default()

    def name_of(self, command: cmd.Command) -> tuple[int, str] | None:
        """Return the game that a line names, and the rest of the line."""
        if isinstance(command, cmd.InGame):
            return command.match, command.text
        if not isinstance(command, cmd.Other):
            return None
        loose = cmd.loose_name(command.line)
        if loose is None or loose.is_numbered:
            return None
        match = self._sender.match
        if match is None:
            is_name = loose.is_move or self._is_own(loose.number)
        else:
            is_name = loose.is_move and loose.number == match.id and not self._reads(command.line)
        return (loose.number, loose.text) if is_name else None

    def sorted_parts(self, lines: Sequence[str]) -> list[Part]:
        """Return the parts of a mail whose text has these lines."""
        if not self._commands:  # only thanks, at which parsing stops
            return [Part(self.default, [], list(lines))]
        letter = next((c for c in self._commands if isinstance(c, cmd.Write | cmd.Report)), None)
        below = next((at for at, line in enumerate(lines) if letter and command_in(line) == letter), len(lines))
        heading = self.default
        for command in self._commands[: self._commands.index(letter)] if letter else self._commands:
            heading = self._add_command(command, heading)
        heading = self.default
        for line in lines[:below]:
            heading = self._add_line(line, heading)
        if letter is not None:
            rest = self._part(None)
            rest.commands += self._commands[self._commands.index(letter) :]
            rest.lines += lines[below:]
        return [part for part in self._parts.values() if self._says_something(part)]

    def _says_something(self, part: Part) -> bool:
        """Whether a part requests anything; a game that is only named is shown."""
        number = part.game or (self._sender.match.id if self._sender.match else None)
        if part.game in self._headings and not part.commands and number is not None:
            part.commands.append(cmd.Show(number, written=str(number)))
        return bool(part.commands) or (part.game is not None and bool(part.text.strip()))

    def _add_command(self, command: cmd.Command, heading: int | None) -> int | None:
        """Add a command to its part; return the game that the lines below it are about."""
        name = self.name_of(command)
        if name is None:
            self._part(heading if self._belongs(command, heading) else None).commands.append(command)
            return heading
        game, text = name
        if not text:
            self._headings.add(self._part(game).game)
            return game
        self._part(game).commands += [_inner(one, game, command) for one in cmd.parse_commands([text])]
        return heading

    def _add_line(self, line: str, heading: int | None) -> int | None:
        command = command_in(line)
        name = self.name_of(command)
        if name is not None and not name[1]:
            return name[0]
        if name is not None:
            self._part(name[0]).lines.append(name[1])
        else:
            self._part(heading if self._belongs(command, heading) else None).lines.append(line)
        return heading

    def _belongs(self, command: cmd.Command, heading: int | None) -> bool:
        """Whether a line that names no game belongs to the heading above it."""
        if heading is None or is_of_one_game(command):
            return heading is not None
        return isinstance(command, cmd.Other) and (heading != self.default or self._takes_words)

    def _part(self, game: int | None) -> Part:
        own = self._sender.match
        key = None if own is not None and game == own.id else game
        return self._parts.setdefault(key, Part(key))

    def _default(self) -> int | None:
        """Return the game for lines that name none, if the address has none; None if unknown."""
        self._takes_words = True
        if self._sender.match is not None:
            return None
        subject = cmd.named_in_subject(self._sender.subject())
        if subject is not None and self._is_own(subject.game):
            return subject.game
        names = {name[0] for command in self._commands if (name := self.name_of(command))}
        if names:
            return names.pop() if len(names) == 1 else None
        numbers = games_told(self._sender.replied)
        self._takes_words = any(map(is_of_one_game, self._commands))
        return numbers[0] if len(numbers) == 1 and self._is_own(numbers[0]) else None

    def _is_own(self, number: int) -> bool:
        if number not in self._own:
            self._own[number] = any(p.person_id == self._sender.person.id for p in players_of(self._session, number))
        return self._own[number]

    def _reads(self, line: str) -> bool:
        """Whether the whole line, number included, is a move in the address's game."""
        match, player = self._sender.match, self._sender.player
        if match is None or player is None:
            return False
        found = self._sender.reader.read(position_of(match), player.seat, cmd.bare_move(line))
        return found is not None and found.reading is Reading.MOVE


def _inner(command: cmd.Command, game: int, outer: cmd.Command) -> cmd.Command:
    """Return the command from a line that names its game, with that game filled in."""
    if isinstance(command, cmd.InGame):
        return cmd.InvalidCommand(outer.written, _("Each line can name only one game."), written=outer.written)
    return replace(registry.of(command).about(command, game), written=outer.written)


def games_told(letter: Letter | None) -> tuple[int, ...]:
    """Return the distinct numbers of the games that our letter links to."""
    if letter is None:
        return ()
    return tuple(dict.fromkeys(int(number) for number in _GAME_LINK.findall(letter.text)))


def sender_in(session: Session, sender: Sender, number: int) -> Sender:
    """Return the sender as a player of this game.

    Raises MatchError if they cannot write there. The token is dropped: a yes in one game must not answer a question
    about another.
    """
    match = session.get(Match, number)
    if match is None or not may_see(session, match, sender.person.id):
        raise MatchError(_("There is no game {number}.").format(number=number))
    player = next((one for one in players_of(session, number) if one.person_id == sender.person.id), None)
    if player is None:
        raise MatchError(_("You do not play in game {number}; “games” lists yours.").format(number=number))
    token = session.get(Token, player.token_id) if player.token_id is not None else None
    if match.ended_at is not None and (token is None or accounts.has_expired(token, sender.now)):
        raise MatchError(_("Game {number} is over.").format(number=number))
    return replace(sender, player=player, match=match, token=None, choices=(), ply=_ply_shown(session, sender, number))


def _ply_shown(session: Session, sender: Sender, number: int) -> int | None:
    """Return the ply that the writer has seen, by the subject or the answered letter; else None."""
    subject = cmd.named_in_subject(sender.subject())
    if subject is not None and subject.game == number and subject.move is not None:
        is_of_game = subject.takebacks == session.get_one(Match, number).takebacks
        return subject.move - 1 if is_of_game else STALE
    if sender.replied is None or number not in games_told(sender.replied):
        return None
    return _ply_at(session, number, sender.replied.created_at)


def _ply_at(session: Session, number: int, at: datetime) -> int:
    """Count a game's entries at a time; STALE if some were taken back since."""
    gone = select(TakenBackMove.id).where(col(TakenBackMove.match_id) == number, col(TakenBackMove.taken_back_at) > at)
    if session.exec(gone.limit(1)).first() is not None:
        return STALE
    entries = select(func.count()).select_from(Move).where(col(Move.match_id) == number, col(Move.at) <= at)
    return session.exec(entries).one()


def running_games(session: Session, sender: Sender, most: int = 50) -> list[Sender]:
    """Return the sender in each of their running games, those with their turn first."""
    running = (
        select(Player.match_id)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == sender.person.id, col(Match.ended_at).is_(None))
        .order_by(col(Player.since).is_(None), col(Match.deadline), col(Match.id))
        .limit(most)
    )
    return [sender_in(session, sender, number) for number in session.exec(running).all()]
