"""One-click unsubscribe (RFC 8058): the page in the List-Unsubscribe header of letters."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import accounts, letter_stops
from correspondence.accounts.letter_stops import Stopped
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.web import dead_links
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("unsubscribe", __name__)


@bp.get("/u/<token>")
def ask(token: str) -> ResponseReturnValue:
    """Show what the link stops, and a button.

    A GET changes nothing, because mail scanners open every link.
    """
    try:
        with reading() as db:
            state = letter_stops.look(db, _number(token), now=current_runtime().now())
    except accounts.PeopleError:
        return dead_links.page(token)
    return _page(token, state, done=state.is_stopped)


@bp.post("/u/<token>")
def stop(token: str) -> ResponseReturnValue:
    """Stop letters at once, without sign-in, cookie or confirmation (RFC 8058)."""
    return _act(
        token, lambda db: letter_stops.stop_by_token(db, _number(token), now=current_runtime().now()), done=True
    )


@bp.post("/u/<token>/undo")
def undo(token: str) -> ResponseReturnValue:
    """Resume the letters that the link stopped."""
    return _act(
        token, lambda db: letter_stops.undo_by_token(db, _number(token), now=current_runtime().now()), done=False
    )


def _act(token: str, act: Callable[[Session], Stopped], *, done: bool) -> ResponseReturnValue:
    try:
        with transaction(current_runtime().engine) as db:
            state = act(db)
    except accounts.PeopleError:
        return dead_links.page(token)
    return _page(token, state, done=done, undone=not done)


def _page(token: str, state: Stopped, *, done: bool, undone: bool = False) -> str:
    return render_template("stop.html", token=token, stop=state.stop, handle=state.handle, done=done, undone=undone)


def _number(token: str) -> int | None:
    return tokens.read(current_runtime().settings.secret_key, token)
