"""A browser that shows our own pages."""

from __future__ import annotations

from flask.testing import FlaskClient


class OwnPages(FlaskClient):
    """Says with each request, as a browser does, that one of our own pages sends it."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
