"""Answers to non-members, and to mail without readable text."""

from __future__ import annotations

from correspondence import commands as cmd
from correspondence.commands import registry
from correspondence.commands.handlers.context import refusal
from correspondence.commands.handlers.info import welcome
from correspondence.outbound.transcript import TranscriptEntry
from engines.refusal import Refusal
from engines.wording import _


def answer_stranger(command: cmd.Command, language: str, features_off: frozenset[str]) -> TranscriptEntry:
    """Answer a command of a non-member, in the current language (`language`).

    A request for rules or help on an unknown topic is answered with the known ones.
    """
    answer = registry.of(command).stranger
    try:
        return welcome() if answer is None else answer(command, language, features_off)
    except Refusal as error:
        return refusal("", error)


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
