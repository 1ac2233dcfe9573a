"""What the current Flask application runs on."""

from __future__ import annotations

from flask import Flask, current_app

from correspondence.core.runtime import Runtime


def bind(app: Flask, runtime: Runtime) -> None:
    """Make `house` the one that `this_house` finds in this application."""
    app.extensions["correspondence"] = runtime


def runtime_of(app: Flask) -> Runtime:
    """What `app` runs on."""
    runtime: Runtime = app.extensions["correspondence"]
    return runtime


def current_runtime() -> Runtime:
    """What the current application runs on; works within a request or an application context."""
    return runtime_of(current_app)
