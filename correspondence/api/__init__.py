"""The API for programs: JSON below `/api/v1`, with members' tokens, described by OpenAPI.

Input: requests with a token. Output: facts redacted for the token's member, and problems with the sentences of the
pages. Each call reads its input, calls the same use case or query as pages and mail, and writes the answer.
"""

from __future__ import annotations

from flask import Flask

from correspondence.api import (
    access,
    acts,
    describe,
    events,
    games,
    me,
    members,
    offers,
    plans,
    puzzles,
    refusals,
)
from correspondence.api.calls import bp

CALLS = (acts, describe, events, games, me, members, offers, plans, puzzles, refusals)
"""The modules that add their routes to the blueprint when they are imported."""


def attach(app: Flask) -> None:
    """Register every call with the application."""
    access.attach(app)
    app.register_blueprint(bp)
