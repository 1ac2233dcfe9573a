"""Courtesies around a command: “accept, thanks”, and a line of thanks below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from correspondence.commands.answer_reading import without_accents
from correspondence.commands.answer_words import MORE_WORDS, WORDS

_TABLES = (*WORDS.values(), *MORE_WORDS.values())
_ENDINGS = "|".join(phrase for words in _TABLES for phrase in f"{words.please}|{words.thanks}|cheers".split("|"))
_POLITE = re.compile(rf"(.*?\w)(?:[,;:.!-]\s*|\s+(?:-+\s*|and\s+|e\s+)?)(?:{_ENDINGS})[\s.!]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_PROSE = 4
_WORDS_OF_A_NAME = 3
_GREETINGS = frozenset(phrase.split()[0] for words in _TABLES for phrase in words.greetings.split("|") if phrase)
_BEGINNINGS = frozenset(
    phrase.split()[0]
    for words in _TABLES
    for phrases in (words.thanks, words.closings, words.pleasantries, words.yes)
    for phrase in phrases.split("|")
    if phrase
) | frozenset("happy glad fun with kind have".split())


def without_courtesy(text: str) -> str:
    """Strip “please” or “thanks” from the end of a line; unchanged if nothing else is left."""
    match = _POLITE.fullmatch(without_accents(text))
    return text[: match.end(1)] if match else text


def without_courtesies(lines: Sequence[str]) -> list[str]:
    """Return lines that may be failed commands, without greetings, thanks, prose and names.

    `lines` are those beside a command that was executed.
    """
    kept = []
    is_after_courtesy = False
    for line in lines:
        is_name = is_after_courtesy and line.strip()[:1].isupper() and len(line.split()) <= _WORDS_OF_A_NAME
        is_after_courtesy = is_name or _is_courtesy(line)
        if not is_after_courtesy:
            kept.append(line)
    return kept


def has_prose(lines: Sequence[str]) -> bool:
    """Whether one of these lines, after a greeting too, is a sentence for somebody and not a mere courtesy."""
    return any(len(words) >= _WORDS_OF_PROSE and words[0] not in _BEGINNINGS for words in map(_words, lines))


def _is_courtesy(line: str) -> bool:
    words = _words(line)
    return not words or words[0] in _BEGINNINGS | _GREETINGS or len(words) >= _WORDS_OF_PROSE


def _words(line: str) -> list[str]:
    return _WORD.findall(without_accents(line.casefold()))
