"""Words for one game's notation and pieces, matched with misspellings. Pure.

Names are known in all languages of the service.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from correspondence.core.i18n import LANGUAGES, translations
from correspondence.core.move_text import normalise
from engines.vocabulary import Vocabulary

LONGEST = 20_000
"""Maximum number of characters that are read; what is passed on is shorter."""

COMMON = frozenset(
    "box bob bobo bro bros boo boob orb rob robo brb brr brrr oxo boxx xbox xor bobby by must mate cute mutex muted "
    "multi mutter mutuo night minute twisted twitter spawn done reuse make makes region regione perdona perdono diamo "
    "dammi damme daimi damage damages asse asset assai more paper happy pony proper stop access".split()
)
"""Everyday words that would otherwise match as misspelt names or signs."""

_ALIKE = str.maketrans("хоаерсвнмтукі♕♛♖♜♗♝♘♞♙♟", "xoaepcbhmtykiqqrrbbnnpp")
"""Letters of other alphabets that look like Latin ones, and chess symbols."""


def plain(text: str) -> str:
    """Convert to lower case without accents, formatting and invisible characters."""
    folded = unicodedata.normalize("NFKD", "\n".join(normalise(line) for line in text[:LONGEST].splitlines()))
    return "".join(char for char in folded if not unicodedata.combining(char)).casefold().translate(_ALIKE)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lower-case words of one game, each mapped to the English names of pieces."""

    signs: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    everyday: Mapping[str, frozenset[str]]
    openers: Mapping[str, frozenset[str]]


@cache
def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """Build the lexicon of a game's vocabulary."""
    names_by_word: dict[str, set[str]] = {}
    for name in sorted(set(vocabulary.signs.values())):
        for translated in (name, *(translations(language).gettext(name) for language in LANGUAGES)):
            for word in re.findall(r"\w{3,}", plain(translated)):
                names_by_word.setdefault(word, set()).add(name)
    for alias, name in vocabulary.aliases.items():
        names_by_word.setdefault(alias, set()).add(name)
    words = map(plain, vocabulary.everyday)
    everyday = {form: frozenset(names_by_word.get(word, ())) for word in words for form in _forms(word)}
    names = {
        form: frozenset(names_by_word[word]) for word in names_by_word if word not in everyday for form in _forms(word)
    }
    signs = {sign.casefold(): frozenset({name}) for sign, name in vocabulary.signs.items()}
    return Lexicon(signs, names, everyday, {word: frozenset({word}) for word in vocabulary.openers})


def _forms(word: str) -> Iterator[str]:
    """Return a name, its plural, and its other Italian endings."""
    yield from (word, f"{word}s")
    stem = word.rstrip("aeio")
    if len(stem) >= 3 and stem != word:
        yield from (stem + ending for ending in "aeio")


def names_of(text: str, names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the pieces a word names, exactly or with one slip; empty if it is talk."""
    if text in names:
        return names[text]
    if text in COMMON or len(text) < 4:
        return frozenset()
    for name, pieces in names.items():
        if abs(len(text) - len(name)) > 1:  # so that a long text of many words costs little
            continue
        if len(text) == len(name) + 1 and _undoubled(text) == _undoubled(name):
            return pieces
        if len(name) >= 4 and text[0] == name[0] and _is_slip(text, name):
            return pieces
    return frozenset()


def names_of_compound(text: str, lex: Lexicon) -> frozenset[str]:
    """Return the pieces named by two words written as one, such as “redmask”; else empty."""
    halves = [(text[:at], text[at:]) for at in range(3, len(text) - 2)]
    first_halves = [(lex.names.get(one) or lex.everyday.get(one), other) for one, other in halves]
    both = [(one, lex.names.get(other) or lex.everyday.get(other)) for one, other in first_halves if one]
    return next(((one & other) or (one | other) for one, other in both if other), frozenset())


def _undoubled(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", text)


def _is_slip(text: str, name: str) -> bool:
    """Whether one letter is out of order, missing in a word of 5 or more, or wrong in 6 or more."""
    if len(text) == len(name):
        wrong = [at for at in range(len(name)) if text[at] != name[at]]
        is_swap = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(text) == sorted(name)
        return is_swap or (len(wrong) == 1 and len(name) >= 6)
    longer, shorter = (text, name) if len(text) > len(name) else (name, text)
    if len(longer) != len(shorter) + 1 or len(shorter) < 4:
        return False
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer)))
