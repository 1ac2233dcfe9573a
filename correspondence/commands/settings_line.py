"""Parser for what follows `settings`: the word of a setting, and its new value."""

from __future__ import annotations

import re

from correspondence.commands.command_types import ChangeSetting, Command, Settings
from correspondence.commands.pace import CommandError
from correspondence.commands.setting_values import plain
from correspondence.commands.typos import is_typo
from engines.wording import _

SETTING_WORDS = {
    "language": "language | lingua",
    "zone": "zone | time zone | timezone | city | fuso | fuso orario | citta",
    "plain": "plain | plain text | text only | text | solo testo | testo",
    "board": "board | boards | tavoliere | tavolieri",
    "receipt": "receipt | receipts | ricevuta | ricevute",
    "turn": "turn | notify turn | turn letters | turno | avvisi turno | lettere di turno",
    "talk": "talk | notify talk | talk letters | messaggi | avvisi messaggi",
    "reminder": "reminder | reminders | notify reminder | promemoria | avvisi promemoria",
    "end": "end | notify end | game over | over | fine | avvisi fine",
    "challenges": "challenges | challenge | notify challenges | sfide | avvisi sfide",
    "delay": "delay | wait | ritardo | attesa",
    "digest": "digest | riepilogo",
    "quiet": "quiet | quiet hours | silenzio | ore di silenzio",
    "sleep": "sleep | nights | night | sonno | notte | notti",
    "off": "days off | day off | free days | giorni liberi | giorno libero",
    "holidays": "holidays | holiday | feste | festivita",
    "wins": "wins on time | time wins | vittorie a tempo",
    "confirm": "confirm | confirm moves | conferma",
    "archive": "archive | archivio",
}
"""What each setting is called, in every language of the service; the first word is the one that letters name."""

_NAMES = {word.strip(): name for name, words in SETTING_WORDS.items() for word in words.split("|")}
_LONGEST = max(len(word.split()) for word in _NAMES)
_SEPARATOR = re.compile(r"\s*[:=]\s*|\s+")


def read_settings(rest: str, sure: bool) -> Command | None:
    """Parse `language it`, `digest daily 7:00`, `quiet = 22-7`; a setting without a value is asked about.

    Raises CommandError where a misspelt setting has a value.
    """
    text = rest.strip()
    if not text.rstrip(".!? "):
        return Settings()
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
    """A text without its first words."""
    for _word in range(count):
        parts = _SEPARATOR.split(text, maxsplit=1)
        text = parts[1] if len(parts) > 1 else ""
    return text
