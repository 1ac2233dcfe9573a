"""The application for a server of pages: `flask --app correspondence.wsgi run`, or any WSGI server."""

from __future__ import annotations

from correspondence import create_app
from correspondence.core.config import exit_on_setting_error

__all__ = ["app"]

with exit_on_setting_error():
    app = create_app()
