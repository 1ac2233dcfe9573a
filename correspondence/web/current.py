"""What the current Flask application runs on."""

from __future__ import annotations

from flask import Flask, current_app

from correspondence.core.runtime import House


def keep_house(app: Flask, house: House) -> None:
    """Make `house` the one that `this_house` finds in this application."""
    app.extensions["correspondence"] = house


def house_of(app: Flask) -> House:
    """What `app` runs on."""
    house: House = app.extensions["correspondence"]
    return house


def this_house() -> House:
    """What the current application runs on; works within a request or an application context."""
    return house_of(current_app)
