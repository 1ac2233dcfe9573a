"""The web interface: each view reads a form, calls one use case or query, then redirects or renders.

Input: requests. Output: pages, pictures, feeds and files, redacted for their reader.
"""

from __future__ import annotations

import secrets

from flask import Flask

from correspondence.accounts.web_sessions import IDLE
from correspondence.core.log_format import log_from_now_on_about
from correspondence.web import (
    compression,
    db_session,
    errors,
    form_guard,
    forms,
    game_pages,
    headers,
    locale,
    page_times,
    parts,
    previews,
    service_state,
    session,
    templates,
    throttle,
    typed,
)
from correspondence.web.current import runtime_of
from correspondence.web.lazy_views import blueprint_of
from correspondence.web.routes import HEADERS, ROUTES


def attach(app: Flask) -> None:
    """Register every page and every hook with the application."""
    app.permanent_session_lifetime = IDLE
    templates.attach(app)
    app.url_map.converters["number"] = forms.RowNumber
    page_times.attach(app)
    compression.attach(app)
    app.before_request(lambda: log_from_now_on_about(f"request {secrets.token_hex(3)}"))
    db_session.attach(app)
    session.attach(app)
    locale.attach(app)
    forms.attach(app)
    parts.attach(app)
    game_pages.attach(app)
    throttle.attach(app)
    previews.attach(app)
    form_guard.attach(app)
    service_state.attach(app)
    session.attach_use_tracking(app)
    errors.attach(app)
    headers.attach(app)
    typed.attach(app)
    _register_pages(app)


def _register_pages(app: Flask) -> None:
    """Register every page, but for the letters that wait, which only a service that sends none shows."""
    shows_letters = runtime_of(app).settings.shows_letters
    for module, routes in ROUTES.items():
        pages = blueprint_of(f"{__name__}.{module}", routes, HEADERS.get(module, {}))
        if module != "dev_mailbox" or shows_letters:
            app.register_blueprint(pages)
