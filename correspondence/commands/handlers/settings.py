"""The command that changes one of the sender's settings."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import answers
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.commands.setting_list import SETTINGS
from correspondence.core.i18n import in_language
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def _change(session: Session, sender: Sender, command: cmd.ChangeSetting) -> TranscriptEntry:
    if not command.value:
        return answers.setting(sender.person, command.name)
    setting = SETTINGS[command.name]
    setting.change(session, sender.person, command.value, sender.now)
    with in_language(sender.person.language):  # the language may have just changed
        sentence = _("Changed: {title} – {value}. “settings” shows them all.")
        return TranscriptEntry("", sentence.format(title=_(setting.title), value=setting.value(sender.person)))


HANDLERS: Handlers = {cmd.ChangeSetting: _change}
