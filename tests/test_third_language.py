"""A language is one row of a table and a catalogue."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from tests.third_language import MARK

ROOT = Path(__file__).resolve().parent.parent
CODE, ROW = "eo", '"eo": "Esperanto"'
FIRST_WORDS = "help|rules|games|join|challenge|seek|hello|thanks"


def translated(sentence):
    """A sentence in a language of our own: marked, but for single words, which have an ending when they are lists."""
    if sentence == FIRST_WORDS:
        return "saluton|ludoj"
    if "|" in sentence and " | " not in sentence:
        return "|".join(f"{word}o" for word in sentence.split("|"))
    return f"{MARK}{sentence}" if " " in sentence else sentence


def add_language(copy):
    table = copy / "correspondence" / "core" / "i18n.py"
    text = table.read_text()
    assert '"it": "Italiano"}' in text
    table.write_text(text.replace('"it": "Italiano"}', f'"it": "Italiano", {ROW}}}'))
    locale = copy / "correspondence" / "locale"
    with (locale / "it" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=CODE)
    for entry in catalogue:
        if entry.id:
            plural = isinstance(entry.id, (tuple, list))
            entry.string = tuple(map(translated, entry.id)) if plural else translated(entry.id)
    (locale / CODE / "LC_MESSAGES").mkdir(parents=True)
    with (locale / CODE / "LC_MESSAGES" / "messages.po").open("wb") as file:
        write_po(file, catalogue)


def test_row_and_catalogue_are_all_that_a_language_needs(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "correspondence", copy / "correspondence", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("engines", "templates", "migrations", "tests", "docs"):
        (copy / name).symlink_to(ROOT / name)
    add_language(copy)
    words = [sys.executable, "-m", "tests.third_language", str(tmp_path / "world"), CODE]
    (tmp_path / "world").mkdir()
    known = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(words, cwd=copy, env=known, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
