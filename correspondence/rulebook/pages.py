"""Rules pages as blocks, from the same templates as the web pages, without the site layout."""

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
"""The default rules page of a game without one: its board and notation."""


def page_of(game: Game) -> str:
    """Return the template name of a game's rules page."""
    return f"rules/{game.key}.html" if game.presentation.page() else PLAIN


def page_source(name: str) -> str | None:
    """Return the template `rules/<key>.html` of a game; None if it has none."""
    key = name.removeprefix("rules/").removesuffix(".html")
    game = GAMES.get(key) if name == f"rules/{key}.html" else None
    return (game.presentation.page() or None) if game is not None else None


@lru_cache(maxsize=64)
def blocks_of(key: str, language: str) -> tuple[RulesBlock, ...]:
    """Return the blocks of a game's rules page in a language.

    If a plug-in's page fails, the default page with pictures and notation is used.
    """
    with in_language(language):
        try:
            return rendered_blocks(key, page_of(GAMES[key]))
        except Exception:
            log.warning("the rules page of %s is left out of letters", key, exc_info=True)
            return rendered_blocks(key, PLAIN)


def rendered_blocks(key: str, name: str) -> tuple[RulesBlock, ...]:
    """Render a template as a game's rules page; pass on the template's exceptions."""
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
    """Return the Jinja environment for blocks, whose partials replace those of the web pages."""
    ours = FileSystemLoader([folder("templates") / "rulebook", folder("templates") / "web"])
    loaders: list[BaseLoader] = [ours, FunctionLoader(page_source)]
    env = Environment(loader=ChoiceLoader(loaders), autoescape=True, auto_reload=False, extensions=["jinja2.ext.i18n"])
    env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.globals.update(said=_, url_for=_address)
    return env


def _address(endpoint: str, **values: Any) -> str:
    """Resolve a page's link for use in a letter: another game's rules, a file, or the site."""
    if endpoint == "rules.show" and "key" in values:
        return f"%%base%%/rules/{values['key']}"
    return f"%%base%%{_ADDRESSES.get(endpoint, '')}"


_ADDRESSES = {
    "fairness.public_keys": "/.well-known/correspondence-keys.json",
    "fairness.checker": "/help/verify.pyz",
    "fairness.offline": "/help/check.html",
    "archive_files.listed": "/archive/files",
}
"""The paths of files that rules pages link to, by endpoint."""
