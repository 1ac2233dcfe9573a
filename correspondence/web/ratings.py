"""Leaderboards: the best players of every game, and all rated players of one game."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.ratings.leaderboards import PAGE, RankedPlayer, count_rated, ranked_players, rated_games
from correspondence.ratings.rating_rows import PAIR_SPAN
from correspondence.ratings.ratings import LEAST_MOVES
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, query_text

bp = Blueprint("ratings", __name__)

COUNTING = {"least_moves": LEAST_MOVES, "days": PAIR_SPAN.days}
"""The numbers in the pages' sentence about which games count."""

BEST = 5
"""Number of players of each game in the overview."""

LAST_PAGE = 10_000
"""Highest page number."""


@bp.get("/ratings")
def overview() -> str:
    """Show every rated game with its number of rated players and the best of them."""
    now = current_runtime().now()
    with reading() as db:
        rows = [(game, count_rated(db, game.key), _best(db, game.key, now)) for game in rated_games()]
    return render_template("ratings.html", overview=rows, counting=COUNTING)


def _best(db: Session, key: str, now: datetime) -> tuple[RankedPlayer, ...]:
    """The best players of a game; provisional ones fill up if too few are established."""
    best = ranked_players(db, key, now=now, most=BEST, with_robots=False)
    if len(best) < BEST:
        best += ranked_players(db, key, now=now, provisional=True, most=BEST, with_robots=False)
    return best[:BEST]


@bp.get("/ratings/<key>")
def of_game(key: str) -> ResponseReturnValue:
    """Show the established and the provisional players of a game by rating, in pages."""
    game = next((game for game in rated_games() if game.key == key), None)
    if game is None:
        abort(404)
    now, page, more = current_runtime().now(), _page("page"), _page("more")
    with_robots = query_text("robots", 5) != "no"
    with reading() as db:
        established = ranked_players(db, key, now=now, page=page, with_robots=with_robots)
        provisional = ranked_players(db, key, now=now, provisional=True, page=more, with_robots=with_robots)
    return render_template(
        "ratings_of_game.html",
        game=game,
        counting=COUNTING,
        established=established[:PAGE],
        provisional=provisional[:PAGE],
        page=page,
        more=more,
        robots=None if with_robots else "no",
        has_more_established=len(established) > PAGE,
        has_more_provisional=len(provisional) > PAGE,
    )


def _page(name: str) -> int:
    page = number(query_text(name, 12)) or 0
    return page if page <= LAST_PAGE else 0
