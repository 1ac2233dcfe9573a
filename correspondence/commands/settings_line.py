"""Parser for the arguments of `settings`: a setting's word and its new value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from correspondence.commands.command_types import ChangeSetting, Command, ShowSettings
from correspondence.commands.pace import CommandError
from correspondence.commands.setting_list import SETTINGS
from correspondence.commands.setting_values import plain, words_of
from correspondence.commands.typos import is_typo
from correspondence.core.i18n import in_language
from engines.wording import N_, _

_COMMAND = N_("settings")
_SEPARATOR = re.compile(r"\s*[:=]\s*|\s+")


@cache
def _names() -> Mapping[str, str]:
    """Settings by each of their words, in every language."""
    return {word: name for name, setting in SETTINGS.items() for word in words_of(setting.words)}


@cache
def _longest() -> int:
    return max(len(word.split()) for word in _names())


def settings_line(name: str, value: str, language: str) -> str:
    """Format the line that sets this setting to this value, in a language."""
    with in_language(language):
        return f"{_(_COMMAND)} {_(SETTINGS[name].words).partition('|')[0]} {value}"


def read_settings(rest: str, sure: bool) -> Command | None:
    """Parse `language it`, `digest daily 7:00` or `quiet = 22-7`; without a value it is a query.

    Raises CommandError if a misspelt setting has a value.
    """
    text = rest.strip()
    if not text.rstrip(".!? "):
        return ShowSettings()
    words = _SEPARATOR.split(text, maxsplit=_longest())
    for count in range(min(_longest(), len(words)), 0, -1):
        name = _names().get(plain(" ".join(words[:count])))
        if name is not None:
            return ChangeSetting(name, _without(text, count).rstrip(".! "))
    near = next((word for word in _names() if is_typo(plain(words[0]), word)), None) if sure else None
    if near is not None and len(words) <= _longest():
        raise CommandError(_("There is no setting “{word}”. Do you mean {near}?").format(word=words[0][:40], near=near))
    return None


def _without(text: str, count: int) -> str:
    """Strip the first words from a text."""
    for _word in range(count):
        parts = _SEPARATOR.split(text, maxsplit=1)
        text = parts[1] if len(parts) > 1 else ""
    return text
