"""Lines in a game's thread that resemble commands: asked about, not passed to the opponent."""

from __future__ import annotations

from collections.abc import Sequence

from correspondence.commands.handlers import doubts
from correspondence.commands.handlers.context import MailOutcome, Sender
from correspondence.commands.meant_lines import meant_line
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

MOST_LINES = 20
"""Maximum number of lines of a mail that are checked; commands stand near its top."""


def misdirected_lines(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of talk that are probably meant for the service."""
    if sender.player is None:
        return ()
    return tuple(line for line in list(filter(str.strip, lines))[:MOST_LINES] if meant_line(line))


def ask_about(sender: Sender, lines: Sequence[str], result: MailOutcome) -> None:
    """Ask whether lines are commands; a number executes the command or passes the words on."""
    meant = tuple(dict.fromkeys(filter(None, map(meant_line, lines))))
    words_to_say = doubts.choices_to_say(sender, lines)
    labels = (*meant, *map(doubts.label_of, words_to_say))
    choices = (*meant, *words_to_say)
    sentence = _("This looks like a command, so it was not passed on. Did you mean one of these?")
    if any(entry.suggestions for entry in result.entries):  # numbers are taken by these suggestions
        sentence = _("This looks like a command, so it was not passed on. To pass it on, begin it with “say:”.")
        labels = choices = ()
    result.entries.append(TranscriptEntry("", sentence, labels, doubts.quoted(lines), choices))
    result.must_answer, result.outcome = True, result.outcome if result.acted else "asked"
