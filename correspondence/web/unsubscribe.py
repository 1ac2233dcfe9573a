"""The page that a letter names for stopping letters: mail programs send its form by themselves."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.models import Purpose
from correspondence.queries.queries import asked_by
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("unsubscribe", __name__)


@bp.get("/u/<token>")
def ask(token: str) -> ResponseReturnValue:
    """A button that stops letters; looking changes nothing, because mail scanners look at every link."""
    runtime = current_runtime()
    with reading() as looking:
        asked = asked_by(looking, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    if asked is None or asked.purpose != Purpose.STOP:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=asked.handle, done=False)


@bp.post("/u/<token>")
def stop(token: str) -> ResponseReturnValue:
    """Letters stop at once: no visit, no cookie and no second page is asked for (RFC 8058)."""
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            number = tokens.read(runtime.settings.secret_key, token)
            person = accounts.stop_by_token(acting, number, now=runtime.now())
    except accounts.PeopleError:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=person.handle, done=True)
