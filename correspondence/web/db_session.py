"""What a page reads: everything that one GET asks of the database goes through one session, and is asked once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from flask import Flask, g, request
from sqlmodel import Session

from correspondence.core import db
from correspondence.web.current import current_runtime


def attach(app: Flask) -> None:
    """End the session of each request with it."""
    app.teardown_request(_close)


@contextmanager
def reading() -> Iterator[Session]:
    """A session that only looks, the same for all of a GET; a POST, which may write in between, gets a new one."""
    if request.method not in ("GET", "HEAD"):
        with db.reading(current_runtime().engine) as session:
            yield session
        return
    if "reads" not in g:
        g.reads = ExitStack()
        g.looking = g.reads.enter_context(db.reading(current_runtime().engine))
    yield g.looking


def _close(_error: BaseException | None) -> None:
    reads: ExitStack | None = g.pop("reads", None)
    if reads is not None:
        reads.close()
