"""Leaderboards: the best players of every game, and all rated players of one game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.ratings.distribution import STEP, distribution
from correspondence.ratings.leaderboards import (
    PAGE,
    RankedPlayer,
    count_rated,
    ranked_players,
    rated_games,
    rating_curves,
)
from correspondence.ratings.rating_rows import PAIR_SPAN
from correspondence.ratings.ratings import LEAST_MOVES
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, query_text
from correspondence.web.graph import bars, graph_of

bp = Blueprint("ratings", __name__)

COUNTING = {"least_moves": LEAST_MOVES, "days": PAIR_SPAN.days}
"""The numbers in the pages' sentence about which games count."""

ACTIVE = timedelta(days=60)
"""The time since the last rated game within which a player counts as active."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""Before every rated game."""

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
    now, reader, name = current_runtime().now(), session.visitor_id(), query_text("name", 30)
    page, more = _page("page"), _page("more")
    with_robots, is_active = query_text("robots", 5) != "no", query_text("active", 5) == "yes"
    since = now - ACTIVE if is_active else None
    how: dict[str, Any] = {"now": now, "with_robots": with_robots, "since": since, "name": name}
    with reading() as db:
        established = ranked_players(db, key, page=page, **how)
        provisional = ranked_players(db, key, provisional=True, page=more, **how)
        spread = distribution(db, key, reader, since=since or LONG_AGO)
        curves = rating_curves(db, reader, now=now, only=key) if reader is not None else ()
    mine = next(iter(curves), None)
    kept = {"robots": "" if with_robots else "no", "active": "yes" if is_active else "", "name": name}
    return render_template(
        "ratings_of_game.html",
        game=game,
        counting=COUNTING,
        established=established[:PAGE],
        provisional=provisional[:PAGE],
        page=page,
        more=more,
        kept={field: text for field, text in kept.items() if text},
        name=name,
        robots=None if with_robots else "no",
        is_active=is_active,
        active_days=ACTIVE.days,
        spread=spread,
        bars=bars(spread.bars, spread.low, STEP, spread.mine) if spread is not None else (),
        mine=mine,
        graphs={key: graph_of(mine)} if mine is not None else {},
        has_more_established=len(established) > PAGE,
        has_more_provisional=len(provisional) > PAGE,
    )


def _page(name: str) -> int:
    page = number(query_text(name, 12)) or 0
    return page if page <= LAST_PAGE else 0
