"""A walk through pages, letters and help in a language that was just added; run in a copy of the service."""

from __future__ import annotations

import sys
from pathlib import Path

from correspondence import features
from correspondence.commands import ChangeSetting, read_line
from correspondence.commands.help import TOPICS, help_page, overview
from correspondence.commands.settings_line import settings_line
from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language
from tests.post import text_of
from tests.world import mail_world

MARK = "\u2042"
"""Stands before every translated sentence."""

PAGES = ("/", "/rules", "/rules/duel", "/seeks", "/watch", "/join", "/ratings")
OWN_PAGES = ("/games", "/settings", "/games/1", "/seeks/new")


def walk(folder: Path, language: str) -> None:
    """Assert that pages, letters, help and settings speak the language."""
    town = mail_world(folder)
    town.join("ann", "bob", language=language)
    town.match("duel")
    walk_pages(town, language)
    walk_letters(town, language)
    walk_help(language)
    town.close()


def walk_pages(town, language):
    for client, paths in ((town.app.test_client(), PAGES), (town.client("ann"), OWN_PAGES)):
        for path in paths:
            page = client.get(path, headers={"Accept-Language": language}, follow_redirects=True)
            assert page.status_code == 200 and MARK in page.text, (path, page.status_code)
    assert f'lang="{language}"' in town.client("ann").get("/games").text
    assert f'value="{language}"' in town.client("ann").get("/settings").text


def walk_letters(town, language):
    assert MARK in text_of(town.letter("ann"))
    for line in ("games", "help", "help settings", "rules", "settings", "away 5 days"):
        assert town.answer(town.letter("ann"), line).startswith("done"), line
        assert MARK in text_of(town.letter("ann")), line
    town.mail("stranger@example.org", "play@games.example", "saluton")
    assert MARK in text_of(town.letter("stranger"))
    line = settings_line("digest", "dailyo 7:00", language)
    assert line == "settings digesto dailyo 7:00" and isinstance(read_line(line), ChangeSetting)
    assert town.answer(town.letter("ann"), line) == "done: changesetting"
    with db.reading(town.engine) as session:
        assert town.person(session, "ann").digest == "daily"


def walk_help(language):
    with in_language(language):
        assert overview().count(MARK) >= len(TOPICS)
        assert [name for name in TOPICS if MARK not in help_page(name)[1]] == []


if __name__ == "__main__":
    features.load()
    assert sys.argv[2] in LANGUAGES
    walk(Path(sys.argv[1]), sys.argv[2])
