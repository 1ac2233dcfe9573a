"""A mailbox page for installations without real mail, visible only from this machine.

The letters contain sign-in links. So these pages exist only if `Settings.shows_letters` is true, and each request is
checked as well.
"""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, render_template, request

from correspondence.core.config import MAILDIR
from correspondence.transport import StoredLetter, letters_in, read_letter
from correspondence.web.current import current_runtime
from correspondence.web.forms import number, query_text

bp = Blueprint("dev_mailbox", __name__)

PAGE, MOST = 30, 600
"""Number of letters on a page, and maximum number of letters that are searched."""

_LOCAL_ADDRESSES = ("127.0.0.1", "::1")
_LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
_PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
_SANDBOX_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-same-origin allow-top-navigation-by-user-activation"
)


@bp.get("/mail")
def box() -> str:
    """Show the sent letters, newest first, a page at a time; `q` is a part of the subject or the recipient."""
    wanted, page = query_text("q", 60), number(query_text("page", 6)) or 0
    found = [letter for letter in letters_in(_folder(), MOST) if _matches(letter, wanted)]
    letters = [(letter, _sent_at(letter)) for letter in found[page * PAGE : (page + 1) * PAGE]]
    has_more = len(found) > (page + 1) * PAGE
    return render_template("mail.html", letters=letters, wanted=wanted, page=page, has_more=has_more)


@bp.get("/mail/<key>")
def letter(key: str) -> str:
    """Show one letter, formatted and as plain text, with working links."""
    message = _letter(key)
    return render_template("mail_letter.html", letter=message, at=_sent_at(message))


@bp.get("/mail/<key>/sheet")
def letter_html(key: str) -> Response:
    """Return the HTML body of a letter for an iframe, without scripts or external content."""
    response = Response(_with_pictures(_letter(key)), mimetype="text/html")
    response.headers["Content-Security-Policy"] = _SANDBOX_POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


def _matches(letter: StoredLetter, wanted: str) -> bool:
    text = f"{letter.header('Subject')} {letter.header('To')}".casefold()
    return all(word in text for word in wanted.casefold().split())


def is_available() -> bool:
    """Whether letters may be shown and the request comes from this machine.

    A request that a proxy forwarded may come from anywhere. One with another Host header may come from a foreign page
    open in a browser on this machine (DNS rebinding).
    """
    is_local = request.remote_addr in _LOCAL_ADDRESSES and urlsplit(f"//{request.host}").hostname in _LOCAL_NAMES
    is_forwarded = any(name in request.headers for name in _PROXY_HEADERS)
    return current_runtime().settings.shows_letters and is_local and not is_forwarded


def _folder() -> str:
    if not is_available():
        abort(404)
    return current_runtime().settings.mail_send.removeprefix(MAILDIR)


def _letter(key: str) -> StoredLetter:
    letter = read_letter(_folder(), key)
    if letter is None:
        abort(404)
    return letter


def _sent_at(letter: StoredLetter) -> datetime | None:
    try:
        at = parsedate_to_datetime(letter.header("Date"))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _with_pictures(letter: StoredLetter) -> str:
    """Inline the pictures of the HTML body and make its links open outside the iframe."""

    def picture(match: re.Match[str]) -> str:
        image = letter.images.get(match[1], b"")
        return f'src="data:image/png;base64,{base64.b64encode(image).decode()}"'

    page = letter.html.replace("<head>", '<head><base target="_top">', 1)
    return re.sub(r'src="cid:([^"]+)"', picture, page)
