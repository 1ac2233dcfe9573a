"""How the templates of the pages see what all pages share: functions, filters, the games."""

from __future__ import annotations

from flask import Flask
from flask.templating import Environment
from jinja2 import StrictUndefined

from correspondence.core.robot_handles import game_of
from correspondence.core.shared_globals import SharedGlobals


class Templates(SharedGlobals, Environment):
    """The templates of pages, which know the request that they answer."""


def attach(app: Flask) -> None:
    """Make the templates of the application; call this before anything is given to them."""
    app.jinja_environment = Templates
    app.jinja_options = {**app.jinja_options, "cache_size": -1}  # they are as many as there are files
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.tests["robot"] = lambda handle: bool(game_of(handle))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
