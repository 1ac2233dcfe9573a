"""The command that changes one of the sender's settings."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import answers
from correspondence.commands.handlers.context import Sender
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.setting_list import SETTINGS
from correspondence.commands.settings_line import read_settings
from correspondence.commands.subjects import always
from correspondence.core.i18n import in_language
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import N_, _


def _change(session: Session, sender: Sender, command: cmd.ChangeSetting) -> TranscriptEntry:
    if not command.value:
        return answers.setting(sender.person, command.name)
    setting = SETTINGS[command.name]
    setting.change(session, sender.person, command.value, sender.now)
    with in_language(sender.person.language):  # the language may have just changed
        sentence = _("Changed: {title} – {value}. “settings” shows them all.")
        return TranscriptEntry("", sentence.format(title=_(setting.title), value=setting.value(sender.person)))


COMMANDS = (
    Declaration(
        kind=cmd.ShowSettings,
        phrases="settings | my settings | impostazioni | einstellungen | réglages | ajustes",
        need=Need.NOTHING,
        handler=lambda s, w, c: answers.settings(w.person),
        title=always(N_("Your settings")),
        topic="settings",
        help=(
            HelpLine(
                "settings",
                1,
                N_("settings"),
                N_("your language, time zone and letters, and the line that changes each"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.ChangeSetting,
        readers={"settings | setting | impostazioni | imposta": read_settings},
        need=Need.YES,
        argument="value",
        need_without=Need.NOTHING,
        handler=_change,
        title=always(N_("Your settings")),
        topic="settings",
        help=(
            HelpLine(
                "settings",
                2,
                N_("settings receipt off"),
                N_(
                    "no receipts of your moves; likewise language, zone, plain, reminder, digest, quiet, days off, confirm"
                ),
            ),
            HelpLine(
                "settings",
                4,
                N_("settings digest daily 7:00"),
                N_("all letters in one, once a day; hourly sends at most one an hour, off ends it"),
            ),
            HelpLine(
                "settings",
                5,
                N_("settings quiet 22-7"),
                N_("no letters in these hours, unless your clock would suffer; off ends it"),
            ),
            HelpLine(
                "puzzles",
                7,
                N_("settings exercises weekly"),
                N_("an exercise each week; no in place of weekly ends it"),
            ),
        ),
    ),
)
