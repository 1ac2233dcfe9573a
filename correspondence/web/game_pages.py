"""The rules pages that games bring with them, as templates of the application."""

from __future__ import annotations

from flask import Flask
from jinja2 import BaseLoader, ChoiceLoader, FunctionLoader

from engines import GAMES
from engines.base import Game

PLAIN = "rules/_plain.html"
"""The page of a game that brings no words of its own: its board, its notation, a letter."""


def attach(app: Flask) -> None:
    """Let templates called `rules/<key>.html` come from the packages of the games, all others from our folder."""
    ours: list[BaseLoader] = [app.jinja_loader] if app.jinja_loader is not None else []
    app.jinja_loader = ChoiceLoader([*ours, FunctionLoader(_source)])


def page_of(game: Game) -> str:
    """The name of the template of a game's rules page."""
    return f"rules/{game.key}.html" if game.presentation.page() else PLAIN


def _source(name: str) -> str | None:
    key = name.removeprefix("rules/").removesuffix(".html")
    game = GAMES.get(key) if name == f"rules/{key}.html" else None
    return (game.presentation.page() or None) if game is not None else None
