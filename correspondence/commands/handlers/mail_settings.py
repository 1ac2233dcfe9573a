"""Commands about the writer's own letters."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as words
from correspondence.accounts import mail_preferences
from correspondence.commands import answers
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.outbound.transcript import TranscriptEntry


def _change(session: Session, writer: Sender, command: words.SetMailPreferences) -> TranscriptEntry:
    wanted = mail_preferences.wishes_of(writer.person)
    if command.digest is not None:
        wanted = replace(wanted, digest=command.digest)
    if command.hour is not None:
        wanted = replace(wanted, digest_hour=command.hour)
    if command.quiet is not None:
        begins, ends = command.quiet or (None, None)
        wanted = replace(wanted, quiet_from=begins, quiet_until=ends)
    mail_preferences.change(session, writer.person, wanted, now=writer.now)
    return answers.settings(writer.person)


HANDLERS: Handlers = {words.SetMailPreferences: _change}
