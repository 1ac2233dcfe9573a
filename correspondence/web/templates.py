"""How the templates of the pages see what all pages share: functions, filters, the games."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from flask import Flask
from flask.templating import Environment
from jinja2 import StrictUndefined

from correspondence.core.robot_handles import game_of


class Templates(Environment):
    """Templates that all have the globals of the application, and none of their own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals as they are; Jinja's chain of maps is gone through name by name at each include and import."""
        return super().make_globals(d) if d else self.globals


def attach(app: Flask) -> None:
    """Make the templates of the application; call this before anything is given to them."""
    app.jinja_environment = Templates
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.tests["robot"] = lambda handle: bool(game_of(handle))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
