"""Finished games, found by what they were like, and the members who played them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.accounts import DEPARTED
from correspondence.archive import openings
from correspondence.archive import search as archive
from correspondence.queries.queries import PAGE, finished_games, profile
from correspondence.queries.view_models import GameCard
from correspondence.ratings.leaderboards import RatingCurve, player_profile
from correspondence.render.charts import results_bar
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import asked_for, number
from correspondence.web.graph import Graph, graph
from correspondence.web.locale import zone
from engines import GAMES
from engines.wording import _

bp = Blueprint("history", __name__)

FIELDS = ("game", "options", "player", "opponent", "result", "reason", "shortest", "longest", "since", "until", "moves")
"""What the form of the archive asks."""

LONGEST_OPENING = 400
"""The longest text that is read as the moves of an opening."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A way on from the opening that is shown: the moves to there, how games went on, and a bar of results."""

    way: openings.NextMove
    moves: str
    bar: str


def asked_fields() -> dict[str, str]:
    """The fields of the archive's form that the address holds, as they were typed."""
    typed = {name: asked_for(name, LONGEST_OPENING if name == "moves" else 60) for name in FIELDS}
    return {name: text for name, text in typed.items() if text}


@bp.get("/archive")
def finished() -> ResponseReturnValue:
    """Finished games, newest first, a page at a time; nonsense is refused in words and stays in the form."""
    typed = asked_fields()
    try:
        wanted = archive.read_criteria(typed, zone())
    except archive.ArchiveError as error:
        return _page(typed, refused=str(error)), 422
    before = number(asked_for("before"))
    with reading() as looking:
        cards = finished_games(looking, wanted, before=before)
        counted = len(cards) if before is None and len(cards) <= PAGE else archive.count_up_to(looking, wanted)
        branches = _branches(looking, wanted)
    return _page(typed, wanted=wanted, cards=cards, count=counted, branches=branches)


def _page(
    typed: dict[str, str],
    *,
    refused: str = "",
    wanted: archive.Criteria | None = None,
    cards: tuple[GameCard, ...] = (),
    count: int = 0,
    branches: tuple[Branch, ...] = (),
) -> str:
    shown: dict[str, Any] = {
        "chosen": typed,
        "refused": refused,
        "wanted": wanted,
        "cards": cards[:PAGE],
        "more": cards[PAGE - 1].number if len(cards) > PAGE else None,
        "count": count,
        "most": archive.MOST_COUNTED,
        "branches": branches,
        "sides": GAMES[wanted.game].seats if wanted and wanted.game else (),
        "results": _results(),
        "reasons": _reasons(),
    }
    return render_template("archive.html", **shown)


def _results() -> dict[str, str]:
    seats = (_("first seat won"), _("second seat won"), _("drawn"), _("called off"))
    words = (*seats, _("the player won"), _("the player lost"))
    return dict(zip(archive.RESULTS, words, strict=True))


def _reasons() -> dict[str, str]:
    words = (_("by the rules"), _("by resignation"), _("on time"), _("by agreement"))
    return dict(zip(archive.REASONS, words, strict=True))


def _branches(looking: Session, wanted: archive.Criteria) -> tuple[Branch, ...]:
    """How games of the wanted kind went on from the opening, or from the start, with what results."""
    if not wanted.game or len(wanted.line) >= openings.PLIES:
        return ()
    key = wanted.position
    if key is None:
        key = openings.start_key(GAMES[wanted.game], wanted.options or "")
    return tuple(_branch(way, wanted.line, GAMES[wanted.game].seats) for way in openings.next_moves(looking, key))


def _branch(way: openings.NextMove, line: tuple[str, ...], sides: tuple[str, ...]) -> Branch:
    counts = {"first": way.first, "drawn": way.drawn, "second": way.second}
    if len(sides) > 1:
        title = _("{first} won by {one}, {drawn} drawn, {second} won by {other}")
        told = title.format(one=_(sides[0]), other=_(sides[1]), **counts)
    else:
        told = _("{first} won, {drawn} drawn, {second} lost").format(**counts)
    colours = ("is-black", "is-white") if sides[0] == "Black" else ("is-white", "is-black")
    bar = results_bar(way.first, way.drawn, way.second, told, colours)
    return Branch(way, "; ".join((*line, way.text)), bar)


@bp.get("/players/<handle>")
def player(handle: str) -> ResponseReturnValue:
    """A member: since when, how strong and reliable, with what results, playing what.

    The address takes the handle in any case.
    """
    with reading() as looking:
        found = profile(looking, handle[:60])
        seen = player_profile(looking, handle[:60], session.visitor_id(), now=current_runtime().now())
    if handle in (DEPARTED, _(DEPARTED)):
        return refusal(404, _("Departed"), _("This player has left and is erased here; the games remain."))
    if found is None or seen is None:
        abort(404)
    if found.handle != handle:
        return redirect(url_for("history.player", handle=found.handle), 301)
    graphs = {one.key: _graph(one) for one in seen.courses}
    return render_template("player.html", profile=found, portrait=seen, graphs=graphs)


def _graph(course: RatingCurve) -> Graph:
    before = (course.first.rating, course.first.deviation)
    return graph([before, *((point.rating, point.deviation) for point in course.points)])
