"""Who is signed in: a signed cookie holds the key of a web session, whose row says whose it is (web_sessions.py)."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Flask, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from correspondence.accounts import web_sessions
from correspondence.core.db import transaction
from correspondence.queries.queries import member
from correspondence.queries.view_models import Member
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import plain

_KEY, _WANTED = "key", "wanted"

LONGEST_WANTED = 500
"""The longest address that a visitor is led back to: a cookie of more than 4096 bytes is not kept by browsers."""

LONGEST_AGENT = 300
"""How much is read of the name that a browser gives itself."""


class SignInFirst(HTTPException):
    """Raised where a page is for members: the visitor is led to the sign-in page, and back afterwards."""

    code = 303

    def get_response(self, *_args: object, **_more: object) -> Response:
        """The way to the sign-in page."""
        return redirect(url_for("account.sign_in"), 303)


class SignedOut(HTTPException):
    """Raised where somebody who is no longer signed in sends a form."""

    code = 403


class _Cookies(SecureCookieSessionInterface):
    """Sends the cookie with no answer that any cache on the way may keep, and so hand to others."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie anew, but not on what is public."""
        if not response.cache_control.public:
            super().save_session(app, session, response)  # type: ignore[arg-type]


def attach(app: Flask) -> None:
    """Look up the person of each request before its view."""
    app.session_interface = _Cookies()
    app.before_request(_recognize)
    app.context_processor(lambda: {"me": visitor()})


def attach_noting(app: Flask) -> None:
    """Note at POSTs, an hour apart at least, that a browser is in use: a GET writes nothing.

    To be called after the check of form tokens is attached, so that a forged form is not use.
    """
    app.before_request(_note_use)


def _recognize() -> None:
    g.member = None
    if request.endpoint != "static" and _KEY in session:
        with reading() as looking:
            g.member = member(looking, session[_KEY], now=current_runtime().now())


def _note_use() -> None:
    found = visitor()
    if request.method == "POST" and found is not None and found.is_to_be_noted:
        runtime = current_runtime()
        with transaction(runtime.engine) as acting:
            web_sessions.note_use(acting, found.visit, now=runtime.now())


def visitor() -> Member | None:
    """The member who is looking, None for anybody else."""
    found: Member | None = g.get("member")
    return found


def visitor_id() -> int | None:
    """The number of the member who is looking."""
    found = visitor()
    return found.id if found else None


def signed_in() -> Member:
    """The member who is looking; anybody else is led to the sign-in page, or told, if he sent a form."""
    found = visitor()
    if found is None and request.method != "GET":
        raise SignedOut
    if found is None:
        come_back()
        raise SignInFirst
    return found


def come_back() -> None:
    """Let whoever joins or signs in from this page be led back to it."""
    page = request.full_path.rstrip("?")
    if len(page) <= LONGEST_WANTED:
        session[_WANTED] = page


def key() -> str:
    """The key of this browser's session; empty where it has none."""
    return str(session.get(_KEY, ""))


def begin(key: str) -> str:
    """Sign this browser in by the key of a new session; returns the page that was wanted before, or “My games”."""
    wanted = session.get(_WANTED)
    session.clear()
    session.permanent = True
    session[_KEY] = key
    return str(wanted) if wanted else url_for("games.mine")


def end() -> None:
    """Let this browser forget everything; its session is to be ended by its key before."""
    session.clear()


def agent() -> tuple[str, str]:
    """What the visitor's browser and system are called; empty where they do not say so."""
    text = request.headers.get("User-Agent", "")[:LONGEST_AGENT]
    said = _parser()(text)
    names = (said.user_agent and said.user_agent.family, said.os and said.os.family)
    browser, system = (plain(name or "", web_sessions.LONGEST_NAME) for name in names)
    return browser, system


@cache
def _parser() -> Any:
    from ua_parser import parse  # a tenth of a second, which only a sign-in is worth

    return parse
