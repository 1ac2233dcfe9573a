"""Jinja settings for page templates."""

from __future__ import annotations

from flask import Flask
from jinja2 import StrictUndefined

from correspondence.core.robot_handles import game_of


def attach(app: Flask) -> None:
    """Refuse undefined names in templates, trim blocks, and add the test `robot`."""
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.tests["robot"] = lambda handle: bool(game_of(handle))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
