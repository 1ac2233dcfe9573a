"""The application for a server of pages: `flask --app correspondence.wsgi run`, or any WSGI server."""

from __future__ import annotations

from correspondence import create_app
from correspondence.core.config import told_settings

__all__ = ["app"]

with told_settings():
    app = create_app()
