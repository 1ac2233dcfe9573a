"""The letters of an embedded installation: what the Maildir holds, shown to this machine alone.

They hold links that sign in, so these pages exist only where `Settings.shows_letters` says so, and look at each
request besides.
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

bp = Blueprint("dev_mailbox", __name__)

_THIS_MACHINE = ("127.0.0.1", "::1")
_ITS_NAMES = ("127.0.0.1", "localhost", "::1")
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
_HARMLESS = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-top-navigation-by-user-activation"
)


@bp.get("/mail")
def box() -> str:
    """The letters sent, newest first."""
    listed = [(letter, _sent_at(letter)) for letter in letters_in(_folder())]
    return render_template("mail.html", letters=listed)


@bp.get("/mail/<key>")
def letter(key: str) -> str:
    """One letter, as its reader sees it and as plain text; its links can be followed."""
    found = _letter(key)
    return render_template("mail_letter.html", letter=found, at=_sent_at(found))


@bp.get("/mail/<key>/sheet")
def sheet(key: str) -> Response:
    """The formatted body of a letter, to be framed: nothing in it can run or load anything."""
    answer = Response(_with_pictures(_letter(key)), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = _HARMLESS
    answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    return answer


def are_shown() -> bool:
    """Whether letters are shown here, and this machine itself is asking.

    A request that was passed on by a proxy comes from anywhere, and one that names another host may be
    a page elsewhere that a browser on this machine was led to.
    """
    is_local = request.remote_addr in _THIS_MACHINE and urlsplit(f"//{request.host}").hostname in _ITS_NAMES
    is_passed_on = any(name in request.headers for name in _FORWARDED)
    return current_runtime().settings.shows_letters and is_local and not is_passed_on


def _folder() -> str:
    if not are_shown():
        abort(404)
    return current_runtime().settings.mail_send.removeprefix(MAILDIR)


def _letter(key: str) -> StoredLetter:
    found = read_letter(_folder(), key)
    if found is None:
        abort(404)
    return found


def _sent_at(letter: StoredLetter) -> datetime | None:
    try:
        at = parsedate_to_datetime(letter.header("Date"))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _with_pictures(letter: StoredLetter) -> str:
    """The formatted body with its pictures put in, and its links leading out of the frame."""

    def picture(named: re.Match[str]) -> str:
        image = letter.images.get(named[1], b"")
        return f'src="data:image/png;base64,{base64.b64encode(image).decode()}"'

    return '<base target="_top">' + re.sub(r'src="cid:([^"]+)"', picture, letter.html)
