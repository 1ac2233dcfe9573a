"""The front page and the help."""

from __future__ import annotations

from flask import Blueprint, render_template

from correspondence.outbound.compose import open_address
from correspondence.queries.queries import archive
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.game_intros import INTROS

bp = Blueprint("home", __name__)

LATEST = 6
"""How many finished games the front page shows."""


@bp.get("/")
def front() -> str:
    """The front page: what this is, the games with a picture of each, and the latest finished games."""
    with reading() as db:
        latest = archive(db)[:LATEST]
    return render_template("home.html", latest=latest, intros=INTROS, address=open_address(current_runtime().settings))


@bp.get("/help")
def help_page() -> str:
    """The help: how to play here, by mail and on pages."""
    return render_template("help.html", domain=current_runtime().settings.mail_domain, intros=INTROS)
