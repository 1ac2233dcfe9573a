"""A mail that was written around our letter: what acts in it, where it contradicts itself, and what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from correspondence import commands as cmd
from correspondence.commands.handlers import GAME_ACTIONS, Sender, intent
from correspondence.commands.handlers.context import Outcome, command_in
from correspondence.commands.reading import COMMAND_LINES
from correspondence.mime.replytext import Reply
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

MOST_ASKED = 200
"""How many different lines of a mail are tried as moves by the rules of its game."""

SHOWN = 20
"""The most lines in doubt that a letter shows."""

SHOWN_LENGTH = 2_000
"""Characters of them."""


def acting(writer: Sender) -> Callable[[str], bool]:
    """What says of a line whether it would do something to the game that the mail belongs to.

    The rules are asked about a bounded number of lines, because they look for what a wrong one may have meant.
    """
    known: dict[str, bool] = {}

    def acts(line: str) -> bool:
        if line not in known:
            known[line] = _acts(writer, line, is_asked=len(known) < MOST_ASKED)
        return known[line]

    return acts


def _acts(writer: Sender, line: str, *, is_asked: bool) -> bool:
    command = command_in(line)
    if not isinstance(command, cmd.Other):
        return isinstance(command, (*GAME_ACTIONS, cmd.PlanLine))
    if not is_asked or len(line) > cmd.MOVE_LENGTH:
        return cmd.looks_like_move(line)
    return intent.is_move(writer, command.line)


def contradiction(reply: Reply, acts: Callable[[str], bool]) -> tuple[str, ...]:
    """The lines of which each would act on the game, where they stand around our letter and are not the same."""
    above, below = (_acts_in(lines, acts) for lines in (reply.command_lines, reply.below))
    found = {**above, **below}
    return tuple(found.values()) if below and len(found) > 1 else ()


def _acts_in(lines: Sequence[str], acts: Callable[[str], bool]) -> dict[str, str]:
    read = (line for line in lines[:COMMAND_LINES] if acts(line))
    return {cmd.normalise(line).casefold(): line for line in read if not isinstance(command_in(line), cmd.PlanLine)}


def asked_which(lines: tuple[str, ...], said: str) -> Outcome:
    """The question which of several lines is meant, with all that was `said`; nothing was done or passed on."""
    told = _(
        "Above our letter and below it, or in several places between its lines, you wrote different things that would "
        "each act on the game. Nothing was done, and nothing was passed on. Which one do you mean? Please send your "
        "mail again with that one alone."
    )
    moves = tuple(line for line in lines if isinstance(command_in(line), cmd.Other))
    choices = moves if len(moves) == len(lines) else ()
    return Outcome([TranscriptEntry("", told, choices, said[:SHOWN_LENGTH])], must_answer=True, outcome="asked")


def in_doubt(reply: Reply) -> list[TranscriptEntry]:
    """What to tell of lines that may be the writer's or ours: they went nowhere."""
    if not reply.withheld:
        return []
    told = _(
        "These lines stand within our letter or repeat it, so they were neither carried out nor passed on. If they are "
        "yours, please send them again above our letter, in words of your own:"
    )
    return [TranscriptEntry("", told, block="\n".join(reply.withheld[:SHOWN])[:SHOWN_LENGTH])]
