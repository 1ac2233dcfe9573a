"""Guess a guest's language from the first command word they write. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from correspondence.core.i18n import LANGUAGES, translations
from engines.wording import N_

DEFAULT = "en"
"""Default language, if the first word is unknown."""

_FIRST_WORDS = N_("help|rules|games|join|challenge|seek|hello|thanks")
"""Words with which a mail in a language begins; each catalogue has its own, as many as it likes."""

_WORD = re.compile(r"[^\W\d_]+")


def language_of(lines: Sequence[str]) -> str:
    """Guess the language from the first word in these lines; DEFAULT if it is unknown."""
    first = next((word.casefold() for line in lines for word in _WORD.findall(line)), "")
    return next((language for language in LANGUAGES if first in _first_words(language)), DEFAULT)


@cache
def _first_words(language: str) -> frozenset[str]:
    words = translations(language).gettext(_FIRST_WORDS)
    return frozenset(words.split("|") if language != DEFAULT else ())
