"""A test client that sends the headers of a browser on the service's own pages."""

from __future__ import annotations

from flask.testing import FlaskClient


class OwnPages(FlaskClient):
    """Marks each request as sent by one of the service's own pages, as a browser does."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
