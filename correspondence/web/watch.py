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

    The list contains all games of others, or those of one kind. The first game with a move is followed live.
    """
    game = query_text("game") if query_text("game") in GAMES else ""
    page = min(number(query_text("page", 12)) or 0, LAST_PAGE)
    now, reader = current_runtime().now(), session.visitor_id()
    with reading() as db:
        games = running_list(db, game=game, page=page, without=reader)

    def draw() -> str:
        cards = games.cards(None)
        featured = next((card for card in cards if card.ply), None) if page == 0 else None
        listed = [card for card in cards[:PAGE] if card is not featured]
        return render_template(
            "watch.html", cards=listed, featured=featured, game=game, page=page, has_more=len(cards) > PAGE
        )

    return unchanged.answer((games.version, rounded(now, min(games.deadlines, default=None))), draw)
