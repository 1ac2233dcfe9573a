"""Languages that members can say they read; they include more than the service's own."""

from __future__ import annotations

from functools import cache

from babel import Locale

from correspondence.core.i18n import LANGUAGES

_FURTHER = "ar bg ca cs da de el eo es et fi fr ga he hi hr hu id is ja ko lt lv nb nl pl pt ro ru sk sl sr sv tr uk zh"

LANGUAGES_READ = (*LANGUAGES, *_FURTHER.split())
"""ISO 639-1 codes of the languages; those of the service come first."""


@cache
def name_of(code: str) -> str:
    """Return a language's own name; the code itself if the language is not in the list."""
    name = Locale(code).get_language_name(code) if code in LANGUAGES_READ else None
    return LANGUAGES.get(code) or (name[:1].upper() + name[1:] if name else code)


def code_of(text: str) -> str | None:
    """Return a language's code from its code, own name or English name; None if unknown."""
    key = text.strip().casefold()
    codes = {name.casefold(): code for code in LANGUAGES_READ for name in (code, name_of(code), _in_english(code))}
    return codes.get(key)


@cache
def _in_english(code: str) -> str:
    return Locale(code).get_language_name("en") or code
