"""Answers to non-members, and to mail without readable text."""

from __future__ import annotations

from correspondence import commands as cmd
from correspondence.commands import rules_answers
from correspondence.commands.handlers.context import refusal
from correspondence.commands.handlers.info import help_answer
from correspondence.outbound.transcript import TranscriptEntry
from engines.refusal import Refusal
from engines.wording import _


def welcome() -> TranscriptEntry:
    """Answer a non-member whose mail contains no known command."""
    return TranscriptEntry(
        "",
        _(
            "Here people play abstract games by mail. To join, write the line: join YOURNAME\n"
            "Write rules for the games, help for everything that can be written, or look at %%base%%"
        ),
    )


def answer_stranger(command: cmd.Command, language: str) -> TranscriptEntry:
    """Answer a command of a non-member, in the current language (`language`).

    A request for rules or help on an unknown topic is answered with the known ones.
    """
    try:
        if isinstance(command, cmd.Rules):
            return rules_answers.rules(command.key, command.part, language)
        if isinstance(command, cmd.Help):
            page = help_answer(command.topic)
            return page if command.topic else TranscriptEntry("", welcome().text, block=page.block)
    except Refusal as error:
        return refusal("", error)
    if isinstance(command, cmd.Stop):
        return TranscriptEntry(
            "", _("You'll get no more letters from us. If you want to join after all, write from here: join YOURNAME")
        )
    return welcome()


def no_text_answer(trouble: str) -> TranscriptEntry:
    """Answer a mail without readable text; `trouble` is the reason that replytext gives."""
    reasons = {
        "encrypted": _(
            "Your mail is encrypted, or signed in a way that hides its text, so we cannot read it. Please send it as plain "
            "text."
        ),
        "calendar": _(
            "Your calendar replied for you, but calendars can't answer here. Please reply with a line of your own."
        ),
        "winmail": _("Your mail came as a winmail.dat attachment. Please send it as plain text."),
        "forward-only": _("Your mail was only a forwarded message; you must write commands yourself."),
    }
    return TranscriptEntry(
        "", reasons.get(trouble, _("This mail contained no text of your own. Write help for all commands."))
    )
