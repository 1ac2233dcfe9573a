"""Commands that change the sender's mail preferences."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import mail_preferences
from correspondence.commands import answers
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.outbound.transcript import TranscriptEntry


def _change(session: Session, sender: Sender, command: cmd.SetMailPreferences) -> TranscriptEntry:
    preferences = mail_preferences.mail_preferences_of(sender.person)
    if command.digest is not None:
        preferences = replace(preferences, digest=command.digest)
    if command.hour is not None:
        preferences = replace(preferences, digest_hour=command.hour)
    if command.quiet is not None:
        begins, ends = command.quiet or (None, None)
        preferences = replace(preferences, quiet_from=begins, quiet_until=ends)
    mail_preferences.change(session, sender.person, preferences, now=sender.now)
    return answers.settings(sender.person)


HANDLERS: Handlers = {cmd.SetMailPreferences: _change}
