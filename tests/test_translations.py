"""Every sentence people read exists in every language we speak, with its placeholders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from correspondence.core.i18n import LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
OTHERS = [language for language in LANGUAGES if language != "en"]


def sentences():
    methods = [("**.py", "python"), ("**.txt", "jinja2"), ("**.html", "jinja2")]
    options = {"**.txt": {"trimmed": "true"}, "**.html": {"trimmed": "true"}}
    for folder in ("correspondence", "engines", "templates"):
        found = extract_from_dir(ROOT / folder, methods, options, keywords=KEYWORDS)
        for _file, _line, message, _comments, _context in found:
            yield message


def catalogue(language):
    with (ROOT / "correspondence" / "locale" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def placeholders(text):
    return sorted(re.findall(r"\{\w*\}|%\(\w+\)[sd]", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated(language):
    known = catalogue(language)
    missing = []
    for message in sentences():
        one = message if isinstance(message, str) else message[0]
        entry = known.get(one)
        if one and (entry is None or not entry.string or entry.fuzzy):
            missing.append(one)
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_loses_a_placeholder(language):
    wrong = []
    for entry in catalogue(language):
        if not entry.id:
            continue
        wanted = placeholders(entry.id if isinstance(entry.id, str) else entry.id[1])
        for text in forms(entry) if isinstance(entry.string, str) else forms(entry)[1:]:
            if text and placeholders(text) != wanted:
                wrong.append((entry.id, text))
    assert wrong == []


def test_italian_sentences_have_apostrophes_of_one_kind():
    written = [text for entry in catalogue("it") for text in forms(entry)]
    assert [text for text in written if re.search(r"[^\W\d]'[^\W\d]", text)] == []


SYNONYMS = {
    r"\brecords?\b": r"\bregistr[io]\b|\bverbal[ei]\b",
    r"\bratings?\b": r"\bpunteggi\w*",
    r"\bboards?\b": r"\bscacchier[ae]\b|\bplanc[ei]a?\b|\btavol[ae]\b",
}
"""English words of the game, and Italian words for the same that are not ours: ours are registrazione, rating, tavoliere."""


@pytest.mark.parametrize("english", SYNONYMS)
def test_italian_has_one_word_for_a_thing_of_the_game(english):
    others = [
        (entry.id, text)
        for entry in catalogue("it")
        for text in forms(entry)
        if re.search(english, entry.id if isinstance(entry.id, str) else " ".join(entry.id), re.IGNORECASE)
        and re.search(SYNONYMS[english], text, re.IGNORECASE)
    ]
    assert others == []


def forms(entry):
    """The translation of a sentence, or those of a sentence that counts."""
    return [entry.string] if isinstance(entry.string, str) else entry.string
