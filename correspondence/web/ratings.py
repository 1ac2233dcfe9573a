"""Ratings: the best of every game, and everybody who has a rating in one."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from correspondence.ratings.leaderboards import PAGE, count_rated, ranked_players, rated_games
from correspondence.ratings.ratings import LEAST_MOVES, PAIR_SPAN
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for, number

bp = Blueprint("ratings", __name__)

COUNTING = {"least_moves": LEAST_MOVES, "days": PAIR_SPAN.days}
"""What the pages say of which games count."""

BEST = 3
"""How many players of each game the overview names."""

LAST_PAGE = 10_000
"""The highest page that can be asked for."""


@bp.get("/ratings")
def overview() -> str:
    """Every game that has ratings, with how many people have one, and the best of those that are established."""
    now = current_runtime().now()
    with reading() as looking:
        told = [
            (game, count_rated(looking, game.key), ranked_players(looking, game.key, now=now, most=BEST)[:BEST])
            for game in rated_games()
        ]
    return render_template("ratings.html", told=told, counting=COUNTING)


@bp.get("/ratings/<key>")
def of_game(key: str) -> ResponseReturnValue:
    """The established players of a game by rating, the provisional ones apart, each a page at a time."""
    game = next((game for game in rated_games() if game.key == key), None)
    if game is None:
        abort(404)
    now, page, more = current_runtime().now(), _page("page"), _page("more")
    with reading() as looking:
        sure = ranked_players(looking, key, now=now, page=page)
        others = ranked_players(looking, key, now=now, provisional=True, page=more)
    return render_template(
        "ratings_of_game.html",
        game=game,
        counting=COUNTING,
        sure=sure[:PAGE],
        others=others[:PAGE],
        page=page,
        more=more,
        has_more_sure=len(sure) > PAGE,
        has_more_others=len(others) > PAGE,
    )


def _page(name: str) -> int:
    asked = number(asked_for(name, 12)) or 0
    return asked if asked <= LAST_PAGE else 0
