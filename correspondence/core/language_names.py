"""The languages that members can say they read, each under its own name: more than the service itself speaks."""

from __future__ import annotations

from functools import cache

from babel import Locale

from correspondence.core.i18n import LANGUAGES

_FURTHER = "ar bg ca cs da de el eo es et fi fr ga he hi hr hu id is ja ko lt lv nb nl pl pt ro ru sk sl sr sv tr uk zh"

LANGUAGES_READ = (*LANGUAGES, *_FURTHER.split())
"""ISO 639-1 codes; those that the service speaks come first."""


@cache
def name_of(code: str) -> str:
    """The name of a language in that language; the code itself for one that cannot be chosen."""
    name = Locale(code).get_language_name(code) if code in LANGUAGES_READ else None
    return LANGUAGES.get(code) or (name[:1].upper() + name[1:] if name else code)


def code_of(text: str) -> str | None:
    """The code of the language that `text` names by code, by its own name or in English; None if there is none."""
    key = text.strip().casefold()
    codes = {name.casefold(): code for code in LANGUAGES_READ for name in (code, name_of(code), _in_english(code))}
    return codes.get(key)


@cache
def _in_english(code: str) -> str:
    return Locale(code).get_language_name("en") or code
