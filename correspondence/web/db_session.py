"""The read-only database session of a request: a GET uses one session throughout, so each query runs once."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, nullcontext

from flask import Flask, g, request
from sqlmodel import Session

from correspondence.core import db
from correspondence.web.current import current_runtime


def attach(app: Flask) -> None:
    """Close each request's session at its end."""
    app.teardown_request(_close)


def reading() -> AbstractContextManager[Session]:
    """A read-only session, shared by all of a GET; a POST may write in between, so it gets a new one each time."""
    if request.method not in ("GET", "HEAD"):
        return db.reading(current_runtime().engine)
    if "reads" not in g:
        g.reads = ExitStack()
        g.read_session = nullcontext(g.reads.enter_context(db.reading(current_runtime().engine)))
    shared: AbstractContextManager[Session] = g.read_session
    return shared


def _close(_error: BaseException | None) -> None:
    reads: ExitStack | None = g.pop("reads", None)
    if reads is not None:
        reads.close()
