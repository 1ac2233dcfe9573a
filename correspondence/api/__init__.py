"""The interface for programs: JSON below `/api/v1`, by tokens of members, described by OpenAPI.

Input: requests with a token. Output: facts redacted for its member, and problems in the sentences of the pages. Each
call reads its input, calls one use case or query that pages and mail call too, and writes the answer.
"""

from __future__ import annotations

from flask import Blueprint, Flask

from correspondence.api import access, refusals
from correspondence.api.routes import ROUTES
from correspondence.web.lazy_views import LazyView, split


def attach(app: Flask) -> None:
    """Register every call with the application."""
    access.attach(app)
    calls = Blueprint("api", __name__)
    for module, routes in ROUTES.items():
        for method, rule, view in split(routes):
            endpoint = f"{method}_{module}_{view}".lower()
            calls.add_url_rule(rule, endpoint, LazyView(f"{__name__}.{module}", view), methods=[method])
    refusals.attach(calls)
    app.register_blueprint(calls)
