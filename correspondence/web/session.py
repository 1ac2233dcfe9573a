"""The signed-in member: a signed cookie holds the key of a web session (web_sessions.py)."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Flask, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from correspondence.accounts import suspensions, web_sessions
from correspondence.core.db import transaction
from correspondence.queries.view_models import Member
from correspondence.queries.visitors import member
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import plain

_KEY, _NEXT_PAGE = "key", "next_page"

_FOR_NOBODY = {
    "static", "health.health", "health.ready",
    "embed.show", "embed.at", "embed.scenes", "embed.picture", "embed.oembed",
}  # fmt: skip
"""Endpoints that are the same for everybody: they must work while the database is down, or in frames of other sites."""

API = "/api/"
"""The path of the API, where only tokens count, not cookies (api/access.py)."""

LONGEST_NEXT_PAGE = 500
"""Maximum length of the URL to return to after sign-in.

Browsers drop cookies over 4096 bytes.
"""

LONGEST_AGENT = 300
"""Maximum length of the User-Agent header that is parsed, in characters."""


class SignInFirst(HTTPException):
    """Raised on members' pages: redirects to the sign-in page, and back after signing in."""

    code = 303

    def get_response(self, *_args: object, **_more: object) -> Response:
        """Redirect to the sign-in page."""
        return redirect(url_for("account.sign_in"), 303)


class SignedOut(HTTPException):
    """Raised if a visitor who is not signed in sends a form."""

    code = 403


class _Cookies(SecureCookieSessionInterface):
    """Never sets the cookie on a response that a shared cache could store and serve to others."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie, except on public responses."""
        if "public" not in response.headers.get("Cache-Control", ""):
            super().save_session(app, session, response)  # type: ignore[arg-type]


def attach(app: Flask) -> None:
    """Look up the member of each request before its view runs."""
    app.session_interface = _Cookies()
    app.before_request(_load_member)
    app.context_processor(lambda: {"me": visitor(), "suspension": suspensions.sentence})


def attach_use_tracking(app: Flask) -> None:
    """Record on POSTs, at most once an hour, that a browser is in use; a GET writes nothing.

    Call this after the form guard is attached, so that a forged form does not count as use.
    """
    app.before_request(_record_use)


def _load_member() -> None:
    g.member = None
    if not ignores_cookies() and _KEY in session:
        with reading() as db:
            g.member = member(db, session[_KEY], now=current_runtime().now())


def ignores_cookies() -> bool:
    """Whether this request is answered alike for everybody, or is one of the API."""
    return request.endpoint in _FOR_NOBODY or request.path.startswith(API)


def _record_use() -> None:
    current = visitor()
    if request.method == "POST" and current is not None and current.needs_note:
        runtime = current_runtime()
        with transaction(runtime.engine) as db:
            web_sessions.note_use(db, current.session_id, now=runtime.now())


def visitor() -> Member | None:
    """The signed-in member, or None."""
    current: Member | None = g.get("member")
    return current


def visitor_id() -> int | None:
    """The id of the signed-in member, or None."""
    current = visitor()
    return current.id if current else None


def require_member() -> Member:
    """The signed-in member; raises SignInFirst on a GET, or else SignedOut, if there is none."""
    current = visitor()
    if current is None and request.method != "GET":
        raise SignedOut
    if current is None:
        remember_page()
        raise SignInFirst
    return current


def remember_page() -> None:
    """Store this page's URL, to redirect a visitor back to it after joining or signing in."""
    page = request.full_path.rstrip("?")
    if len(page) <= LONGEST_NEXT_PAGE:
        session[_NEXT_PAGE] = page


def key() -> str:
    """The key of this browser's web session; empty if it has none."""
    return str(session.get(_KEY, ""))


def goal() -> str:
    """The URL to which a visitor is redirected after signing in; empty if they were not asked to sign in."""
    return str(session.get(_NEXT_PAGE) or "")


def begin(key: str, first: str = "games.mine") -> str:
    """Sign this browser in with the key of a new web session.

    Returns the stored URL, or that of the endpoint `first`.
    """
    next_page = session.get(_NEXT_PAGE)
    session.clear()
    session.permanent = True
    session[_KEY] = key
    return str(next_page) if next_page else url_for(first)


def end() -> None:
    """Clear the cookie; the caller must end the web session by its key first."""
    session.clear()


def agent() -> tuple[str, str]:
    """The names of the visitor's browser and operating system; empty if unknown."""
    text = request.headers.get("User-Agent", "")[:LONGEST_AGENT]
    parsed = _parser()(text)
    names = (parsed.user_agent and parsed.user_agent.family, parsed.os and parsed.os.family)
    browser, system = (plain(name or "", web_sessions.LONGEST_NAME) for name in names)
    return browser, system


@cache
def _parser() -> Any:
    from ua_parser import parse  # the import takes 0.1 seconds and is needed only for signing in

    return parse
