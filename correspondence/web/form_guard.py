"""Refuse forged requests by Fetch metadata, and forms of a page that was loaded for somebody else.

A browser says in `Sec-Fetch-Site` where a request comes from, and no page can change what it says; older browsers say it in
`Origin` or `Referer`. Requests from elsewhere are refused, those from other ports and sibling subdomains too: their pages
send our cookie. Where no cookie counts nothing can be forged: below `/api`, and at the one-click unsubscribe of mail programs.

Who sits at the browser may change while a page is open. So a form names the member for whom its page was loaded.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from correspondence.web.current import current_runtime
from correspondence.web.session import API, visitor

FOR_MEMBER = "for-member"
"""The field with the handle of the member for whom a page was loaded; empty for visitors who are not signed in."""

_CHANGES_NOTHING = {"GET", "HEAD", "OPTIONS"}
_ONE_CLICK = "unsubscribe.stop"
"""The address of one-click unsubscribe: a mail program sends no header that a browser would (RFC 8058)."""

_FIELD = Markup('<input type="hidden" name="{}" value="{}">')


class ForgedRequest(HTTPException):
    """Raised when a request may change something, and none of our own pages seems to have sent it."""

    code = 403


class OtherMember(HTTPException):
    """Raised when a form is sent by another member than its page was loaded for."""

    code = 409


def attach(app: Flask) -> None:
    """Refuse both before any view runs, and give the templates `for_member`. Call this after members are looked up."""
    app.before_request(_refuse)
    app.jinja_env.globals["for_member"] = for_member


def for_member() -> Markup:
    """The hidden field that every form carries: for whom its page was loaded."""
    return _FIELD.format(FOR_MEMBER, _handle())


def _refuse() -> None:
    if request.method in _CHANGES_NOTHING or request.path.startswith(API) or request.endpoint == _ONE_CLICK:
        return
    loaded_for = request.form.get(FOR_MEMBER, _handle())  # read first: a body that is too long is refused as such
    if not _is_from_our_pages():
        raise ForgedRequest
    if _handle() and loaded_for != _handle():
        raise OtherMember


def _is_from_our_pages() -> bool:
    """Whether the most telling of three headers names our own pages, or the visitor alone (`none`)."""
    headers = request.headers
    if "Sec-Fetch-Site" in headers:
        return headers["Sec-Fetch-Site"] in ("same-origin", "none")
    if "Origin" in headers:
        return headers["Origin"] == _origin()
    return headers.get("Referer", "").startswith(f"{_origin()}/")


def _origin() -> str:
    """Our own origin, as browsers write it (RFC 6454, section 6.2)."""
    address = urlsplit(current_runtime().settings.base_url.lower())
    usual_port = {"http": ":80", "https": ":443"}.get(address.scheme, "")
    return f"{address.scheme}://{address.netloc.removesuffix(usual_port)}"


def _handle() -> str:
    current = visitor()
    return current.handle if current else ""
