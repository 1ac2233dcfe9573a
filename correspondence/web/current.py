"""The runtime of the current Flask application."""

from __future__ import annotations

from flask import Flask, current_app

from correspondence.core.runtime import Runtime


def bind(app: Flask, runtime: Runtime) -> None:
    """Store `runtime` in `app`, for `runtime_of`."""
    app.extensions["correspondence"] = runtime


def runtime_of(app: Flask) -> Runtime:
    """The runtime of `app`."""
    runtime: Runtime = app.extensions["correspondence"]
    return runtime


def current_runtime() -> Runtime:
    """The runtime of the current application; needs a request or application context."""
    return runtime_of(current_app)
