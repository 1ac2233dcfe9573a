"""The letters of an embedded installation: what the Maildir holds, shown to this machine alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, abort, render_template, request

from correspondence import transport
from correspondence.house import this_house

bp = Blueprint("letters", __name__)

MAILDIR = "maildir:"
"""How `MAIL_SEND` begins when letters land in a folder."""

_THIS_MACHINE = ("127.0.0.1", "::1")
_ITS_NAMES = ("127.0.0.1", "localhost", "::1")
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")


@bp.get("/mail")
def box() -> str:
    """The letters sent, newest first."""
    return render_template("mail.html", letters=transport.letters_in(_folder()))


@bp.get("/mail/<key>")
def letter(key: str) -> str:
    """One letter as it was sent, as text; its links can be followed."""
    found = transport.read_letter(_folder(), key)
    if found is None:
        abort(404)
    return render_template("mail_letter.html", letter=found)


def are_shown() -> bool:
    """Whether letters are shown here: they land in a folder, and this machine itself is asking.

    A request that was passed on by a proxy comes from anywhere, and one that names another host may be
    a page elsewhere that a browser on this machine was led to.
    """
    is_local = request.remote_addr in _THIS_MACHINE and urlsplit(f"//{request.host}").hostname in _ITS_NAMES
    is_passed_on = any(name in request.headers for name in _FORWARDED)
    return this_house().settings.mail_send.startswith(MAILDIR) and is_local and not is_passed_on


def _folder() -> Path:
    if not are_shown():
        abort(404)
    return Path(this_house().settings.mail_send.removeprefix(MAILDIR))
