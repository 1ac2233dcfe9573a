"""The list of running games that anyone can watch."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from correspondence.queries.page_versions import rounded
from correspondence.queries.queries import PAGE, running_list
from correspondence.web import session, unchanged
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, query_text
from engines import GAMES

bp = Blueprint("watch", __name__)

LAST_PAGE = 1_000
"""Highest page number."""


@bp.get("/watch")
def running() -> Response:
    """List running games with their boards, latest move first, a page at a time.

    The list contains all games, or those of one kind.
    """
    game = query_text("game") if query_text("game") in GAMES else ""
    page = min(number(query_text("page", 12)) or 0, LAST_PAGE)
    now, reader = current_runtime().now(), session.visitor_id()
    with reading() as db:
        games = running_list(db, game=game, page=page)

    def draw() -> str:
        cards = games.cards(reader)
        return render_template("watch.html", cards=cards[:PAGE], game=game, page=page, has_more=len(cards) > PAGE)

    return unchanged.answer((games.version, rounded(now, min(games.deadlines, default=None))), draw)
