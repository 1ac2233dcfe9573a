"""The rules pages that games bring with them, as templates of the application."""

from __future__ import annotations

from flask import Flask
from jinja2 import BaseLoader, ChoiceLoader, FunctionLoader

from correspondence.rulebook import pages


def attach(app: Flask) -> None:
    """Let templates called `rules/<key>.html` come from the packages of the games, all others from our folder."""
    ours: list[BaseLoader] = [app.jinja_loader] if app.jinja_loader is not None else []
    app.jinja_loader = ChoiceLoader([*ours, FunctionLoader(lambda name: pages.page_source(name))])
