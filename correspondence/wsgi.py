"""The WSGI application, for `flask --app correspondence.wsgi run` or any WSGI server."""

from __future__ import annotations

from correspondence.core.config import exit_on_setting_error
from correspondence.core.garbage_collection import without_garbage_collection

__all__ = ["app"]

with exit_on_setting_error(), without_garbage_collection():
    from correspondence.factory import create_app

    app = create_app(checks_host=True)
