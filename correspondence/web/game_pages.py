"""The rules pages that game packages contribute, as templates of the application."""

from __future__ import annotations

from flask import Flask
from jinja2 import BaseLoader, ChoiceLoader, FunctionLoader

from correspondence.rulebook import pages


def attach(app: Flask) -> None:
    """Load templates called `rules/<key>.html` from game packages, others from the web folder."""
    ours: list[BaseLoader] = [app.jinja_loader] if app.jinja_loader is not None else []
    app.jinja_loader = ChoiceLoader([*ours, FunctionLoader(lambda name: pages.page_source(name))])
