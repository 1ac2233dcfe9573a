"""Jinja settings for page templates."""

from __future__ import annotations

from flask import Flask
from jinja2 import StrictUndefined

from correspondence.core.robot_handles import game_of
from correspondence.fairness import seeds


def attach(app: Flask) -> None:
    """Refuse undefined names in templates, trim blocks, and add the test `robot` and what tells of chance in a game."""
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.tests["robot"] = lambda handle: bool(game_of(handle))
    app.jinja_env.globals["has_chance"], app.jinja_env.globals["may_have_chance"] = (
        seeds.has_chance,
        seeds.may_have_chance,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
