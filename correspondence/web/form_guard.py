"""Refuse forged requests, and forms whose page was loaded for another member.

Cross-site requests are detected by `Sec-Fetch-Site`, which pages cannot forge, or by `Origin` or `Referer` in older
browsers. Other ports and sibling subdomains are refused too: their pages send the same cookie. Requests that do not
use the cookie cannot be forged: those below `/api`, and one-click unsubscribe.

Another member may sign in while a page is open. So each form names the member for whom its page was loaded.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from correspondence.web.current import current_runtime
from correspondence.web.session import API, visitor

FOR_MEMBER = "for-member"
"""The form field with the handle of the page's member; empty if not signed in."""

_CHANGES_NOTHING = {"GET", "HEAD", "OPTIONS"}
_ONE_CLICK = "unsubscribe.stop"
"""The endpoint of one-click unsubscribe (RFC 8058).

Mail programs do not send the headers that browsers send.
"""

_FIELD = Markup('<input type="hidden" name="{}" value="{}">')


class ForgedRequest(HTTPException):
    """Raised if a request may change something and does not seem to come from this site."""

    code = 403


class OtherMember(HTTPException):
    """Raised if a page was loaded for one member and its form is sent by another."""

    code = 409


def attach(app: Flask) -> None:
    """Refuse both before any view runs, and add `for_member` to templates.

    Call this after the member lookup is attached.
    """
    app.before_request(_refuse)
    app.jinja_env.globals["for_member"] = for_member


def for_member() -> Markup:
    """Return the hidden field that every form contains, with the current member's handle."""
    return _FIELD.format(FOR_MEMBER, _handle())


def _refuse() -> None:
    if request.method in _CHANGES_NOTHING or request.path.startswith(API) or request.endpoint == _ONE_CLICK:
        return
    loaded_for = request.form.get(FOR_MEMBER, _handle())  # read first, so that a body over the limit is refused as such
    if not _is_from_our_pages():
        raise ForgedRequest
    if _handle() and loaded_for != _handle():
        raise OtherMember


def _is_from_our_pages() -> bool:
    """Whether the most reliable header present names this site, or no other site (`none`)."""
    headers = request.headers
    if "Sec-Fetch-Site" in headers:
        return headers["Sec-Fetch-Site"] in ("same-origin", "none")
    if "Origin" in headers:
        return headers["Origin"] == _origin()
    return headers.get("Referer", "").startswith(f"{_origin()}/")


def _origin() -> str:
    """The origin of this site, as browsers write it (RFC 6454, section 6.2)."""
    address = urlsplit(current_runtime().settings.base_url.lower())
    usual_port = {"http": ":80", "https": ":443"}.get(address.scheme, "")
    return f"{address.scheme}://{address.netloc.removesuffix(usual_port)}"


def _handle() -> str:
    current = visitor()
    return current.handle if current else ""
