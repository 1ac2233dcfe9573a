"""Finished games, and the members who played them."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.db import reading
from correspondence.house import this_house
from correspondence.queries import PAGE, archive, profile
from correspondence.standings import Course, portrait
from correspondence.web import session
from correspondence.web.forms import asked_for, number
from correspondence.web.graph import Graph, graph
from engines import GAMES

bp = Blueprint("history", __name__)

RESULTS = ("1-0", "0-1", "1/2-1/2")
"""The results that the archive can be filtered by."""


@bp.get("/archive")
def finished() -> str:
    """Finished games, newest first, by game, player and result, a page at a time."""
    game, player, result = asked_for("game"), asked_for("player").lstrip("@"), asked_for("result")
    game, result = game if game in GAMES else "", result if result in RESULTS else ""
    with reading(this_house().engine) as looking:
        cards = archive(looking, game=game, player=player, result=result, before=number(asked_for("before")))
    chosen = {
        name: value for name, value in (("game", game), ("player", player), ("result", result)) if value
    }
    more = cards[PAGE - 1].number if len(cards) > PAGE else None
    return render_template("archive.html", cards=cards[:PAGE], chosen=chosen, more=more)


@bp.get("/players/<handle>")
def player(handle: str) -> ResponseReturnValue:
    """A member: since when, how strong and reliable, with what results, playing what.

    The address takes the handle in any case.
    """
    with reading(this_house().engine) as looking:
        found = profile(looking, handle[:60])
        seen = portrait(looking, handle[:60], session.visitor_id(), now=this_house().now())
    if found is None or seen is None:
        abort(404)
    if found.handle != handle:
        return redirect(url_for("history.player", handle=found.handle), 301)
    graphs = {one.key: _graph(one) for one in seen.courses}
    return render_template("player.html", profile=found, portrait=seen, graphs=graphs)


def _graph(course: Course) -> Graph:
    before = (course.first.rating, course.first.deviation)
    return graph([before, *((point.rating, point.deviation) for point in course.points)])
