"""Find games by name: key, name in any of the service's languages, or a part of one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache

from correspondence.core.i18n import LANGUAGES, in_language
from engines import GAMES
from engines.options import choices_of
from engines.refusal import Refusal
from engines.wording import _, listing


class UnknownName(Refusal):
    """Raised for an unknown or ambiguous name; str() names the candidates."""


def plain_words(text: str) -> str:
    """Normalise words for comparison: lower case, without accents, hyphens and other signs."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(one if one.isalnum() else " " for one in letters if not unicodedata.combining(one)).split())


def split_name(words: Sequence[str]) -> tuple[str, str] | None:
    """Split off the game name that words begin with; None unless exactly one game matches."""
    for count in range(len(words), 0, -1):
        keys = _called(" ".join(words[:count]))
        if len(keys) == 1:
            return keys[0], " ".join(words[count:])
    return None


def split_whole_name(words: Sequence[str]) -> tuple[str, int]:
    """Return the game whose key or full name starts the words, and its number of words.

    ("", 0) if there is none.
    """
    for count in range(min(len(words), _longest_name()), 0, -1):
        name = plain_words(" ".join(words[:count]))
        keys = [key for key in GAMES if name in _names(key)]
        if len(keys) == 1:
            return keys[0], count
    return "", 0


def game_named(text: str) -> str:
    """Return the key of the game that a text names; raise UnknownName with suggestions."""
    keys = _called(text)
    if len(keys) == 1:
        return keys[0]
    if keys:
        raise UnknownName(
            _("“{name}” can mean {games}. Please write the whole name.").format(name=text[:40], games=listing(keys))
        )
    sentence = _("There is no game “{key}” here. We play {games}.").format(
        key=text[:40], games=listing(list(GAMES), _("and"))
    )
    if near := nearest_game(text, 0.5):
        sentence += " " + _("Did you mean “{near}”?").format(near=near)
    raise UnknownName(sentence)


def nearest_game(text: str, cutoff: float = 0.8) -> str:
    """Return the game key most similar to a text; "" if none reaches `cutoff` (0 to 1)."""
    keys = {plain_words(key): key for key in GAMES}
    return next((keys[near] for near in get_close_matches(plain_words(text), keys, n=1, cutoff=cutoff)), "")


def games_with_option(text: str) -> tuple[str, ...]:
    """Return the keys of the games that have an option of this name."""
    wanted = plain_words(text)
    return tuple(
        key for key, game in GAMES.items() if any(wanted == plain_words(one.name) for one in choices_of(game.Options))
    )


def _called(text: str) -> tuple[str, ...]:
    """Return the keys of games whose name equals a text, otherwise of those that contain it."""
    name = plain_words(text)
    exact = tuple(key for key in GAMES if name in _names(key))
    if exact or not name:
        return exact
    return tuple(key for key in GAMES if set(name.split()) <= set(plain_words(key).split()))


@cache
def _longest_name() -> int:
    """Return the number of words in the longest game name."""
    return max(len(name.split()) for key in GAMES for name in _names(key))


@cache
def _names(key: str) -> frozenset[str]:
    """Return all names of a game: its key, and its name in every language."""
    names = {plain_words(key), plain_words(GAMES[key].name)}
    for language in LANGUAGES:
        with in_language(language):
            names.add(plain_words(_(GAMES[key].name)))
    return frozenset(names)
