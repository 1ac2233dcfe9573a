"""Parser for the arguments of `settings`: a setting's word and its new value."""

from __future__ import annotations

import re

from correspondence.commands.command_types import ChangeSetting, Command, ShowSettings
from correspondence.commands.pace import CommandError
from correspondence.commands.setting_values import plain
from correspondence.commands.typos import is_typo
from engines.wording import _

SETTING_WORDS = {
    "language": {"en": "language", "it": "lingua"},
    "zone": {"en": "zone|time zone|timezone|city", "it": "fuso|fuso orario|citta"},
    "plain": {"en": "plain|plain text|text only|text", "it": "solo testo|testo"},
    "board": {"en": "board|boards", "it": "tavoliere|tavolieri"},
    "receipt": {"en": "receipt|receipts", "it": "ricevuta|ricevute"},
    "turn": {"en": "turn|notify turn|turn letters", "it": "turno|avvisi turno|lettere di turno"},
    "talk": {"en": "talk|notify talk|talk letters", "it": "messaggi|avvisi messaggi"},
    "reminder": {"en": "reminder|reminders|notify reminder", "it": "promemoria|avvisi promemoria"},
    "end": {"en": "end|notify end|game over|over", "it": "fine|avvisi fine"},
    "challenges": {"en": "challenges|challenge|notify challenges", "it": "sfide|avvisi sfide"},
    "announcements": {"en": "announcements", "it": "annunci"},
    "delay": {"en": "delay|wait", "it": "ritardo|attesa"},
    "digest": {"en": "digest", "it": "riepilogo"},
    "quiet": {"en": "quiet|quiet hours", "it": "silenzio|ore di silenzio"},
    "sleep": {"en": "sleep|nights|night", "it": "sonno|notte|notti"},
    "off": {"en": "days off|day off|free days", "it": "giorni liberi|giorno libero"},
    "holidays": {"en": "holidays|holiday", "it": "feste|festivita"},
    "wins": {"en": "wins on time|time wins", "it": "vittorie a tempo"},
    "confirm": {"en": "confirm|confirm moves", "it": "conferma"},
    "next": {"en": "next game|next", "it": "partita successiva|prossima partita"},
    "robots": {"en": "robots|robot games", "it": "robot"},
    "pace": {"en": "robot pace|pace of robots", "it": "ritmo robot|ritmo dei robot"},
    "exercises": {"en": "exercises|exercise", "it": "esercizi|esercizio"},
    "archive": {"en": "archive", "it": "archivio"},
}
"""Words for each setting, by language; all are accepted, and letters show the first one."""

_COMMANDS = {"en": "settings", "it": "impostazioni"}
_NAMES = {
    word: name
    for name, words in SETTING_WORDS.items()
    for one_language in words.values()
    for word in one_language.split("|")
}
_LONGEST = max(len(word.split()) for word in _NAMES)
_SEPARATOR = re.compile(r"\s*[:=]\s*|\s+")


def settings_line(name: str, value: str, language: str) -> str:
    """Format the line that sets this setting to this value, in a language."""
    spoken = language if language in _COMMANDS else "en"
    return f"{_COMMANDS[spoken]} {SETTING_WORDS[name][spoken].partition('|')[0]} {value}"


def read_settings(rest: str, sure: bool) -> Command | None:
    """Parse `language it`, `digest daily 7:00` or `quiet = 22-7`; without a value it is a query.

    Raises CommandError if a misspelt setting has a value.
    """
    text = rest.strip()
    if not text.rstrip(".!? "):
        return ShowSettings()
    words = _SEPARATOR.split(text, maxsplit=_LONGEST)
    for count in range(min(_LONGEST, len(words)), 0, -1):
        name = _NAMES.get(plain(" ".join(words[:count])))
        if name is not None:
            return ChangeSetting(name, _without(text, count).rstrip(".! "))
    near = next((word for word in _NAMES if is_typo(plain(words[0]), word)), None) if sure else None
    if near is not None and len(words) <= _LONGEST:
        raise CommandError(_("There is no setting “{word}”. Do you mean {near}?").format(word=words[0][:40], near=near))
    return None


def _without(text: str, count: int) -> str:
    """Strip the first words from a text."""
    for _word in range(count):
        parts = _SEPARATOR.split(text, maxsplit=1)
        text = parts[1] if len(parts) > 1 else ""
    return text
