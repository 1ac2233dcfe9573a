"""One-click unsubscribe (RFC 8058): the page in a letter's List-Unsubscribe header, which mail programs POST to."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.models import Purpose
from correspondence.queries.queries import link_purpose
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("unsubscribe", __name__)


@bp.get("/u/<token>")
def ask(token: str) -> ResponseReturnValue:
    """A button that stops letters; a GET changes nothing, because mail scanners open every link."""
    runtime = current_runtime()
    with reading() as db:
        details = link_purpose(db, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    if details is None or details.purpose != Purpose.STOP:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=details.handle, done=False)


@bp.post("/u/<token>")
def stop(token: str) -> ResponseReturnValue:
    """Stop letters at once, without sign-in, cookie or confirmation (RFC 8058)."""
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as db:
            token_id = tokens.read(runtime.settings.secret_key, token)
            person = accounts.stop_by_token(db, token_id, now=runtime.now())
    except accounts.PeopleError:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=person.handle, done=True)
