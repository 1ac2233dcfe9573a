"""The read-only database session of a request, shared by all of a GET.

With a shared session, each query runs once.
"""

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
    """Return a read-only session, shared by all of a GET.

    A POST may write in between, so it gets a new session each time.
    """
    shared: AbstractContextManager[Session] | None = g.get("read_session")
    if shared is not None:
        return shared
    if request.method not in ("GET", "HEAD"):
        return db.reading(current_runtime().engine)
    g.reads = ExitStack()
    g.read_session = nullcontext(g.reads.enter_context(db.reading(current_runtime().engine)))
    return reading()


def _close(_error: BaseException | None) -> None:
    if g.pop("read_session", None) is not None:
        g.pop("reads").close()
