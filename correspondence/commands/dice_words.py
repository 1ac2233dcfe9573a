"""Parser for words for the dice: `words: TEXT` and `accept 7 words: TEXT`. Pure.

Players contribute words to a game's dice with the mail that offers or accepts it (docs/fairness.md, “Seed and
commitment”). The words are hashed as written, so the line is not normalised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from correspondence.commands.command_types import (
    Accept,
    Challenge,
    Command,
    Counter,
    DiceWords,
    Invite,
    Learn,
    Rematch,
    Report,
    SeekPartner,
    Write,
)

_TAKING_WORDS = (Accept, Challenge, Counter, Invite, Learn, Rematch, SeekPartner)
"""Commands that offer or start a game."""

_NAME = r"(?:words?|parol[ae])"
_LINE = re.compile(
    rf"\s*{_NAME}(?:\s+(?:(?:of|for|per|di)\s+)?#?([0-9]{{1,9}}))?\s*[:：](.*)", re.IGNORECASE | re.DOTALL
)
_BEHIND = re.compile(rf"\s*(\S.*?)[\s,;]+{_NAME}\s*[:：](.*)", re.IGNORECASE | re.DOTALL)
_OFFERING = frozenset(
    "accept accetto challenge sfida seek cerco invite counter learn impara imparo rematch rivincita revanche revancha".split()
)

NARROWEST = 60
"""Shortest width, in characters, at which mail programs break lines."""


def read_dice_words(line: str) -> DiceWords | None:
    """Parse `words: TEXT` and `words 7: TEXT`; None if the line is something else."""
    match = _LINE.fullmatch(line)
    return DiceWords(match[2].strip(), int(match[1]) if match[1] else None) if match else None


def split_dice_words(line: str) -> tuple[str, str] | None:
    """Split `accept 7 words: TEXT` into the command and the text; None if there are no words."""
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    match = _BEHIND.fullmatch(line) if first.casefold().rstrip(",;") in _OFFERING else None
    return (match[1], match[2].strip()) if match else None


def with_dice_words(command: Command, text: str) -> Command | None:
    """Return a copy of the command with words; None if it takes no words."""
    if not isinstance(command, _TAKING_WORDS):
        return None
    return replace(command, words=f"{command.words} {text}".strip())


def attached(commands: Sequence[Command]) -> list[Command]:
    """Attach the words in a mail to all its commands that take words, joined into one text.

    Lines that name their offer stay commands of their own, and so do all if no command takes words. Lines below a
    letter or a report belong to that.
    """
    ends = (at for at, command in enumerate(commands) if isinstance(command, Write | Report))
    end = next(ends, len(commands))
    head, rest = commands[:end], commands[end:]
    loose = [command for command in head if isinstance(command, DiceWords) and command.number is None]
    if not loose or not any(isinstance(command, _TAKING_WORDS) for command in head):
        return list(commands)
    text = " ".join(command.text for command in loose)
    return [*(with_dice_words(command, text) or command for command in head if command not in loose), *rest]


def rejoin_word_lines(lines: Sequence[str], is_talk: Callable[[str], bool]) -> list[str]:
    """Rejoin lines of words for the dice that a mail program has broken.

    A line belongs to the one above if its first word would not have fitted there, and if it `is_talk` by itself.
    """
    joined: list[str] = []
    width = 0
    for line in lines:
        first = line.split()[0] if line.strip() else ""
        if joined and first and width + 1 + len(first) > NARROWEST and is_talk(line):
            joined[-1] = f"{joined[-1].rstrip()} {line.strip()}"
            width = len(line.rstrip())
            continue
        joined.append(line)
        has_words = read_dice_words(line) or split_dice_words(line)
        width = len(line.rstrip()) if has_words else -NARROWEST * 100
    return joined
