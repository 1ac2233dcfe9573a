"""Parser that turns the lines of a mail into commands, one line at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from correspondence.commands import registry
from correspondence.commands.answer_reading import is_thanks
from correspondence.commands.command_types import Command, InGame, InvalidCommand, Other, PlanLine, Report, Write
from correspondence.commands.conditional import begins_plan, has_list_mark, rejoin_plan_lines
from correspondence.commands.courtesy import without_courtesy
from correspondence.commands.dice_words import read_dice_words, rejoin_word_lines, split_dice_words, with_dice_words
from correspondence.commands.game_names import loose_name, read_named, read_number_after, read_said
from correspondence.commands.pace import CommandError
from correspondence.commands.typos import is_obvious_typo, is_typo
from correspondence.core.mail_line import MailLine, mail_line
from correspondence.core.move_text import looks_like_move, resembles_move, unwrapped, without_list_mark
from engines.wording import _

COMMAND_LINES = 10
"""Maximum number of a mail's lines that are parsed as commands."""

LINES_CHECKED = 500
"""Number of lines below those that are checked for unexecuted commands, to warn the person."""

LINE_LENGTH = 2_048
"""Maximum length of a command line, in characters; a longer line is talk."""


def parse_commands(lines: Sequence[str]) -> tuple[Command, ...]:
    """Parse the first COMMAND_LINES lines of a mail, one command per line; never raises.

    A line that is not a command becomes `Other`; an invalid command becomes `InvalidCommand`, so that the other lines
    are still executed. Parsing stops at `--` and `quit`, and at words of thanks below a line that acts.
    """
    return tuple(map(_parse, _without_list_mark(_readable(lines)[:COMMAND_LINES])))


def _without_list_mark(lines: Sequence[str]) -> Sequence[str]:
    """Remove the list mark before the only move of a mail; a list of several moves stays a list."""
    bare = [without_list_mark(line) for line in lines]
    is_one = sum(map(_is_move, bare)) == 1
    return bare if is_one else lines


def _is_move(line: str) -> bool:
    return looks_like_move(line) or resembles_move(line)


def unread_commands(lines: Sequence[str], *, names_games: bool = False) -> tuple[str, ...]:
    """Return the unexecuted commands below the first COMMAND_LINES, to warn the writer.

    `names_games`: a number before a move is that of a game, so that such lines are commands too.

    Empty if one of the first lines takes all the text below it, as a letter to a member or a report does.
    """
    readable = _readable(lines)
    if len(readable) <= COMMAND_LINES:
        return ()
    if any(isinstance(command, Write | Report) for command in parse_commands(readable)):
        return ()
    below = readable[COMMAND_LINES : COMMAND_LINES + LINES_CHECKED]
    return tuple(line.strip() for line in below if _is_command(line, names_games=names_games))


def _is_command(line: str, *, names_games: bool) -> bool:
    loose = loose_name(line) if names_games else None
    return not isinstance(_parse(line), Other | PlanLine) or (loose is not None and loose.is_move)


def _readable(lines: Sequence[str]) -> list[str]:
    """Return the non-blank lines above the line at which parsing stops."""
    filled_lines = rejoin_plan_lines([line for line in lines if line.strip()])
    for index, line in enumerate(filled_lines):
        if _bare(mail_line(line[:LINE_LENGTH]).text) in _END_LINES:
            return list(filled_lines[:index])
        if is_thanks(line[:LINE_LENGTH]) and any(map(_acts, filled_lines[:index][:COMMAND_LINES])):
            return list(filled_lines[:index])
    return list(filled_lines)


def _acts(line: str) -> bool:
    """Whether a line can change something: a command, a move or a bare number."""
    command = _parse(line)
    if not isinstance(command, Other):
        return True
    return (
        looks_like_move(command.line) or resembles_move(command.line) or _bare(command.line).strip("()# ").isdecimal()
    )


def _parse(line: str) -> Command:
    try:
        return replace(read_line(line), written=line.strip())
    except CommandError as error:
        return InvalidCommand(line.strip(), str(error), written=line.strip())


def read_line(line: str) -> Command:
    """Parse a whole line; return `Other` if it is not a command.

    A misspelt command word is accepted if the rest of the line fits it. Raises CommandError if the word is right but
    the rest of the line is invalid.
    """
    text = mail_line(line[: LINE_LENGTH + 1]).text
    if len(text) > LINE_LENGTH and begins_plan(text):
        raise CommandError(_("This line of the plan is too long; please write it as several lines."))
    if has_list_mark(text):
        raise CommandError(_("Please write the lines of a plan without numbers before them."))
    if not text or len(text) > LINE_LENGTH:
        return Other(line.strip())
    contribution = read_dice_words(line) or _read_with_words(line)
    if contribution is not None:
        return contribution
    full_text, text = text, unwrapped(text)
    tables = registry.tables()
    command_of_phrase = tables.phrases.get(_bare(text)) or tables.questions.get(_bare(text.rstrip("? ")))
    if command_of_phrase:
        return command_of_phrase
    if text != full_text and looks_like_move(text):
        return Other(text)
    named = _read_named(text)
    if named is not None:
        return named
    bare = mail_line(text)
    reader = tables.readers.get(bare.word) or tables.readers.get(bare.word.rstrip(":"))
    command = reader(bare.rest, True) if reader else _command_by_typo(bare)
    return command or _read_polite(text) or Other(_without_move_word(line, bare))


def _read_with_words(line: str) -> Command | None:
    """Parse a command that offers or accepts a game with words for the dice; else None."""
    parts = split_dice_words(line)
    return with_dice_words(read_line(parts[0]), parts[1]) if parts is not None else None


def rejoin_dice_words(lines: Sequence[str]) -> list[str]:
    """Rejoin lines of words for the dice that a mail program has broken."""
    return rejoin_word_lines(lines, _is_talk)


def _is_talk(line: str) -> bool:
    return isinstance(_parse(line), Other) and not looks_like_move(line)


def _read_polite(text: str) -> Command | None:
    """Parse a command that ends with “please” or “thanks”; None if it is not one."""
    bare = without_courtesy(text)
    command = read_line(bare) if bare != text else None
    return None if isinstance(command, Other) else command


def _read_named(text: str) -> InGame | None:
    """Parse a line that names its game: `game 7: TEXT`, `say 7: TEXT`, `resign 7`; else None."""
    talk, ends_with = read_said(text), read_number_after(text)
    if talk is not None:
        return InGame(talk.game, talk.text)
    if ends_with is not None and _takes_number_of_game(registry.tables().phrases.get(_bare(ends_with.text))):
        return InGame(ends_with.game, ends_with.text)
    begins_with = read_named(text)
    if begins_with is None:
        return None
    name, takes_any_text = begins_with
    return InGame(name.game, name.text) if takes_any_text or _is_about_game(name.text) else None


def _takes_number_of_game(command: Command | None) -> bool:
    """Whether a number after the command is that of a game, because it takes no other argument."""
    declared = registry.of(command) if command is not None else None
    return declared is not None and declared.is_of_one_game and not declared.readers


def _is_about_game(text: str) -> bool:
    """Whether the text after a game's number without a colon is empty, a move or a command."""
    if not text or looks_like_move(text) or resembles_move(text):
        return True
    try:
        return not isinstance(read_line(text), Other)
    except CommandError:
        return False


def _bare(text: str) -> str:
    return text.casefold().rstrip(".! ")


def _without_move_word(line: str, bare: MailLine) -> str:
    name = bare.word.rstrip(":")
    if (name in _MOVE_WORDS or is_typo(name, "move")) and looks_like_move(bare.rest):
        return bare.rest
    return line.strip()


_END_LINES = frozenset({"--", "quit"})
_MOVE_WORDS = frozenset({"move", "mossa", "zug", "coup", "jugada"})


def _command_by_typo(line: MailLine) -> Command | None:
    """Return the only command of which the first word is a typo and that the rest fits; else None."""
    word, rest = line.word, line.rest
    if not 4 <= len(word) <= 15 or not word.isalpha():
        return None
    candidates = {
        command
        for name, reader in registry.tables().readers.items()
        if len(name) > 3 and is_typo(word, name) and (rest or is_obvious_typo(word, name))
        for command in [reader(rest, name == "join" and sorted(word) == sorted(name))]
        if command
    }
    if not rest:
        candidates |= {
            command
            for name, command in registry.tables().phrases.items()
            if len(name) > 3 and is_obvious_typo(word, name)
        }
    return candidates.pop() if len(candidates) == 1 else None
