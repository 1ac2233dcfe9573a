"""The error page of a link that no longer works."""

from __future__ import annotations

from flask import render_template
from flask.typing import ResponseReturnValue

from correspondence.core import tokens
from correspondence.core.i18n import moment
from correspondence.queries import dead_links
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.locale import language, zone


def page(token: str) -> ResponseReturnValue:
    """Return a 404 page that says why the link with this token no longer works, and what to do."""
    runtime = current_runtime()
    with reading() as db:
        dead = dead_links.dead_link(db, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    when = "" if dead.at is None else moment(dead.at, zone(), language())
    why = dead.sentence.replace("{when}", when)
    return render_template("dead_link.html", why=why, purpose=dead.purpose or ""), 404
