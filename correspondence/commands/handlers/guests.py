"""What people are told who have not joined, or wrote nothing that can be read."""

from __future__ import annotations

from correspondence import commands as words
from correspondence.commands import answers
from correspondence.commands.handlers.context import refusal
from correspondence.outbound.transcript import TranscriptEntry
from engines.refusal import Refusal
from engines.wording import _


def welcome() -> TranscriptEntry:
    """What a stranger is told who wrote nothing that we understand."""
    return TranscriptEntry(
        "",
        _(
            "Here people play abstract games by letter. To join, write the line: join YOURNAME\n"
            "Write rules for the games, help for everything that can be written, or look at %%base%%"
        ),
    )


def for_strangers(command: words.Command) -> TranscriptEntry:
    """What somebody who has not joined is told; of a game that is not played here, which are."""
    if isinstance(command, words.Rules):
        try:
            return answers.rules(command.key)
        except Refusal as error:
            return refusal("", error)
    if isinstance(command, words.Help):
        return TranscriptEntry("", welcome().text, block=answers.help_text())
    if isinstance(command, words.Stop):
        return TranscriptEntry(
            "", _("You get no more letters from us. To join after all, write from here: join YOURNAME")
        )
    return welcome()


def nothing_to_read(trouble: str) -> TranscriptEntry:
    """What to tell somebody whose mail had no words for us."""
    reasons = {
        "encrypted": _("Your mail is encrypted, and we have no key to read it. Please send it as plain text."),
        "winmail": _("Your mail came as a winmail.dat attachment. Please send it as plain text."),
        "forward-only": _("Your mail was only a forwarded message; commands must be written by yourself."),
    }
    return TranscriptEntry(
        "", reasons.get(trouble, _("There was no text of yours in this mail. Write help for all commands."))
    )
