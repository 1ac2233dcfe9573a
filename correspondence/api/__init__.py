"""The interface for programs: JSON below `/api/v1`, by tokens of members, described by OpenAPI.

In come requests with a token; out go facts redacted for its member, and problems in the sentences of the pages. Each
call reads its input, calls one use case or query that pages and mail call too, and writes the answer.
"""

from __future__ import annotations

from flask import Flask

from correspondence.api import (
    access,
    acts,
    calls,
    describe,
    events,
    games,
    me,
    members,
    offers,
    plans,
    puzzles,
    webhooks,
)

_TOPICS = (me, games, acts, plans, offers, puzzles, members, events, webhooks, describe)


def attach(app: Flask) -> None:
    """Register every call with the application."""
    access.attach(app)
    app.extensions["csrf"].exempt(calls.bp)  # no cookie counts here, so no page of others can use one
    app.register_blueprint(calls.bp)
