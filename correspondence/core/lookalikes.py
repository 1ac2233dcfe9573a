"""Replace look-alikes of Latin letters, and other scripts' digits, in moves."""

from __future__ import annotations

import re
import unicodedata

_PAIRS = (
    ("авсԁеɡһіјкмнорԛѕтухԝ", "abcdeghijkmhopqstyxw"),
    ("АВСЕНІЈКМОРЅТУХЬ", "ABCEHIJKMOPSTYXb"),
    ("αβεικνορτυχ", "abeikvoptux"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("ıł", "il"),
)
_LATIN = {ord(char): like for chars, likes in _PAIRS for char, like in zip(chars, likes, strict=True)}
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")
_TOKEN = re.compile(r"\S+")
_DIGIT = re.compile(r"(?![0-9])\d")


def with_ascii_digits(text: str) -> str:
    """Convert the decimal digits of all scripts in a text to ASCII."""
    return text if text.isascii() else _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def in_latin(line: str) -> str:
    """Convert look-alikes to Latin in every word that mixes them with Latin letters.

    A word wholly in another alphabet is unchanged, because it is a word of that language.
    """
    return line if line.isascii() else _TOKEN.sub(lambda match: _word_in_latin(match[0]), line)


def _word_in_latin(word: str) -> str:
    latin = word.translate(_LATIN)
    return latin if latin.isascii() and _ASCII_WORD.search(word) else word
