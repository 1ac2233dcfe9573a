"""The running games that anybody may watch."""

from __future__ import annotations

from flask import Blueprint, render_template

from correspondence.queries.queries import PAGE, running_games
from correspondence.web import session
from correspondence.web.db_session import reading
from correspondence.web.forms import number, query_text
from engines import GAMES

bp = Blueprint("watch", __name__)

LAST_PAGE = 1_000
"""The highest page number."""


@bp.get("/watch")
def running() -> str:
    """Running games with their boards, the latest move first, of all games or of one, a page at a time."""
    game = query_text("game") if query_text("game") in GAMES else ""
    page = min(number(query_text("page", 12)) or 0, LAST_PAGE)
    with reading() as db:
        cards = running_games(db, session.visitor_id(), game=game, page=page)
    return render_template("watch.html", cards=cards[:PAGE], game=game, page=page, has_more=len(cards) > PAGE)
