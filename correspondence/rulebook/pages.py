"""The words of each game's rules page, read as blocks: the same template that the web shows, without a page around it."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, FunctionLoader

from correspondence.core.i18n import in_language
from correspondence.core.resources import folder
from correspondence.rulebook.blocks import RulesBlock, read_blocks
from correspondence.rulebook.chapters import CHAPTERS
from engines import GAMES
from engines.base import Game
from engines.wording import _, ngettext

log = logging.getLogger(__name__)

PLAIN = "rules/_plain.html"
"""The page of a game that brings no words of its own: its board and its notation."""


def page_of(game: Game) -> str:
    """The name of the template of a game's rules page."""
    return f"rules/{game.key}.html" if game.presentation.page() else PLAIN


def page_source(name: str) -> str | None:
    """The template `rules/<key>.html` that a game brings; None if there is none of this name."""
    key = name.removeprefix("rules/").removesuffix(".html")
    game = GAMES.get(key) if name == f"rules/{key}.html" else None
    return (game.presentation.page() or None) if game is not None else None


@lru_cache(maxsize=64)
def blocks_of(key: str, language: str) -> tuple[RulesBlock, ...]:
    """Everything that the rules page of a game says, in order, in a language.

    A page of a package that cannot be read here gives way to the plain one: pictures and notation.
    """
    with in_language(language):
        try:
            return rendered_blocks(key, page_of(GAMES[key]))
        except Exception:
            log.warning("the rules page of %s is left out of letters", key, exc_info=True)
            return rendered_blocks(key, PLAIN)


def rendered_blocks(key: str, name: str) -> tuple[RulesBlock, ...]:
    """What a template says as the rules page of a game; raises whatever the template raises."""
    chapter, game = CHAPTERS[key], GAMES[key]
    page = (
        templates()
        .get_template(name)
        .render(
            game=game,
            intro=game.presentation,
            sections=chapter.sections,
            figures={one.name: one for one in chapter.diagrams},
            examples=chapter.examples,
            games=GAMES,
        )
    )
    return read_blocks(page)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The environment in which pages become blocks; our own parts stand in for those of the web."""
    ours = FileSystemLoader([folder("templates") / "rulebook", folder("templates") / "web"])
    loaders: list[BaseLoader] = [ours, FunctionLoader(page_source)]
    env = Environment(loader=ChoiceLoader(loaders), autoescape=True, auto_reload=False, extensions=["jinja2.ext.i18n"])
    env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.globals.update(said=_, url_for=_address)
    return env


def _address(endpoint: str, **values: Any) -> str:
    """Where a link of a page leads when it stands in a letter: the rules of another game, a file, else the site."""
    if endpoint == "rules.show" and "key" in values:
        return f"%%base%%/rules/{values['key']}"
    return f"%%base%%{_ADDRESSES.get(endpoint, '')}"


_ADDRESSES = {
    "fairness.public_keys": "/.well-known/correspondence-keys.json",
    "fairness.checker": "/help/verify.pyz",
    "fairness.offline": "/help/check.html",
    "archive_files.listed": "/archive/files",
}
"""Where files are that pages link to."""
