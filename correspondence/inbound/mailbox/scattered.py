"""Mail with text above, below or inside our quoted letter: contradictory or doubtful lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from correspondence import commands as cmd
from correspondence.commands import registry
from correspondence.commands.handlers import Sender, intent
from correspondence.commands.handlers.context import MailOutcome, command_in
from correspondence.commands.reading import COMMAND_LINES
from correspondence.mime.replytext import Reply
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.move_reading import MoveReader
from engines.wording import _

LINES_TRIED = 60
"""Maximum distinct lines of a mail that are checked against the game's legal moves."""

LINES_READ = 6
"""Maximum texts that the engine parses to find acting lines."""

LINES_SHOWN = 20
"""Maximum doubtful lines that the answer shows."""

CHARS_SHOWN = 2_000
"""Maximum characters of doubtful lines that the answer shows."""


def action_test(sender: Sender) -> Callable[[str], bool]:
    """Return a cached test whether a line would act on the mail's game.

    Only LINES_TRIED lines are checked with the rules, because invalid moves start a search for similar ones.
    """
    sender = replace(sender, reader=MoveReader(LINES_READ))
    cache: dict[str, bool] = {}

    def acts(line: str) -> bool:
        """Whether the line would act on the game; cached."""
        if line not in cache:
            cache[line] = _acts(sender, line, may_ask_rules=len(cache) < LINES_TRIED)
        return cache[line]

    return acts


def _acts(sender: Sender, line: str, *, may_ask_rules: bool) -> bool:
    command = command_in(line)
    if not isinstance(command, cmd.Other):
        return registry.of(command).acts_on_game or isinstance(command, cmd.PlanLine | cmd.InGame)
    if not may_ask_rules or len(line) > cmd.MOVE_LENGTH:
        return cmd.looks_like_move(line)
    loose = cmd.loose_name(command.line) if sender.match is None else None
    return intent.is_move(sender, command.line) or (loose is not None and loose.is_move)


def contradicting_lines(reply: Reply, acts: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the acting lines if those above and below our letter contradict; else empty."""
    if not reply.below:
        return ()
    above, below = (_acting_lines(lines, acts) for lines in (reply.command_lines, reply.below))
    games = [_game_named(line) for line in {**above, **below}]
    lines = {key: line for key, line in {**above, **below}.items() if games.count(_game_named(key)) > 1}
    return tuple(lines.values()) if below and len(lines) > 1 else ()


def _game_named(line: str) -> int | None:
    """Return the game that a line names; lines about different games do not contradict."""
    command = command_in(line)
    if isinstance(command, cmd.InGame):
        return command.match
    loose = cmd.loose_name(line)
    return loose.number if loose is not None and not loose.is_numbered else None


def _acting_lines(lines: Sequence[str], acts: Callable[[str], bool]) -> dict[str, str]:
    acting_lines = (line for line in lines[:COMMAND_LINES] if acts(line))
    return {
        cmd.normalise(line).casefold(): line for line in acting_lines if not isinstance(command_in(line), cmd.PlanLine)
    }


def ask_which(lines: tuple[str, ...], mail_text: str) -> MailOutcome:
    """Ask which of several lines is meant, quoting the mail; nothing was executed."""
    question = _(
        "You wrote different commands for the game above, below or between the lines of our letter. Nothing "
        "was done, and nothing was passed on. Which one do you mean? Please send your mail again with that "
        "one alone."
    )
    moves = tuple(line for line in lines if isinstance(command_in(line), cmd.Other))
    choices = moves if len(moves) == len(lines) else ()
    return MailOutcome(
        [TranscriptEntry("", question, choices, mail_text[:CHARS_SHOWN])], must_answer=True, outcome="asked"
    )


def withheld_notice(reply: Reply) -> list[TranscriptEntry]:
    """Report lines that may be the sender's or quoted; they were neither executed nor passed on."""
    if not reply.withheld:
        return []
    notice = _(
        "These lines are inside our letter or repeat it, so they were neither carried out nor passed on. If "
        "they are yours, please send them again above our letter, in words of your own:"
    )
    return [TranscriptEntry("", notice, block="\n".join(reply.withheld[:LINES_SHOWN])[:CHARS_SHOWN])]
