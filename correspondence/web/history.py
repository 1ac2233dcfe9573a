"""The archive of finished games with its search, and the pages of members."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import member_settings
from correspondence.accounts.accounts import DEPARTED, person_by_handle
from correspondence.accounts.member_settings import LIST_VIEWS
from correspondence.archive import openings
from correspondence.archive import search as archive
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.queries.profiles import member_rows
from correspondence.queries.queries import PAGE, finished_list
from correspondence.queries.view_models import GameCard, Profile
from correspondence.ratings.finished_games import finished_games
from correspondence.ratings.leaderboards import PlayerProfile, player_profile
from correspondence.ratings.opponents import usual_answers
from correspondence.web import session, throttle, unchanged
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import form_text, number, query_text
from correspondence.web.graph import graph_of
from correspondence.web.locale import zone
from correspondence.web.openings import LONGEST_OPENING, Branch, board_of, branch_of, known_moves
from correspondence.web.profile_parts import ShownProfilePart, parts_for
from engines import GAMES
from engines.wording import _

bp = Blueprint("history", __name__)

PLAYING_A_PAGE = 12
"""Number of running games on a page of a player."""

FIELDS = ("game", "options", "player", "opponent", "result", "reason", "shortest", "longest", "since", "until", "moves")
"""The fields of the archive's search form."""


def search_fields() -> dict[str, str]:
    """The non-empty search fields in the query string, as typed."""
    typed = {name: query_text(name, LONGEST_OPENING if name == "moves" else 60) for name in FIELDS}
    return {name: text for name, text in typed.items() if text}


@bp.get("/archive")
def finished() -> ResponseReturnValue:
    """List finished games, newest first, a page at a time, as a list or as boards.

    Bad input is refused with a sentence and kept in the form. An address with empty fields leads to one without them.
    """
    typed = search_fields()
    if "" in request.args.values():
        kept = {name: text for name, text in request.args.items() if text}
        query = urlencode({**kept, **typed}, safe="@/:,")
        return redirect(url_for("history.finished") + (f"?{query}" if query else ""), 302)
    try:
        criteria = archive.read_criteria(typed, zone())
    except archive.ArchiveError as error:
        return _page(typed, refused=str(error)), 422
    before = number(query_text("before"))
    with reading() as db:
        games = finished_list(db, criteria, before=before)
        is_whole = before is None and len(games.matches) <= PAGE
        count = len(games.matches) if is_whole else _count(db, criteria)
        moves, names = _next_moves(db, criteria), archive.recent_players(db)

    def draw() -> str:
        branches = tuple(branch_of(one, criteria) for one in moves)
        cards = games.cards(None)
        return _page(typed, criteria=criteria, cards=cards, count=count, branches=branches, names=names)

    return unchanged.answer((games.version, count, moves, names), draw)


@bp.post("/archive/view")
def view() -> ResponseReturnValue:
    """Show lists of games as a list or as boards from now on; a visitor's choice lasts as long as its address."""
    throttle.hit(throttle.ACT)
    typed = {name: form_text(name, LONGEST_OPENING).strip() for name in (*FIELDS, "before")}
    chosen: dict[str, Any] = {name: text for name, text in typed.items() if text}
    member, form = session.visitor(), form_text("view", 10)
    if member is None:
        return redirect(url_for("history.finished", view=form if form in LIST_VIEWS else None, **chosen), 303)
    with transaction(current_runtime().engine) as db:
        member_settings.show_list_as(db, db.get_one(Person, member.id), form)
    return redirect(url_for("history.finished", **chosen), 303)


def _is_as_boards() -> bool:
    """Whether the visitor wants boards instead of a list."""
    member = session.visitor()
    return (member.list_view if member is not None else query_text("view", 10)) == "boards"


def _count(db: Session, criteria: archive.Criteria) -> int:
    now = current_runtime().now()
    return archive.count_up_to(db, criteria, lambda person: finished_games(db, person, now=now))


def _page(
    typed: dict[str, str],
    *,
    refused: str = "",
    criteria: archive.Criteria | None = None,
    cards: tuple[GameCard, ...] = (),
    count: int = 0,
    branches: tuple[Branch, ...] = (),
    names: tuple[str, ...] = (),
) -> str:
    context: dict[str, Any] = {
        "chosen": typed,
        "refused": refused,
        "criteria": criteria,
        "cards": cards[:PAGE],
        "more": cards[PAGE - 1].number if len(cards) > PAGE else None,
        "count": count,
        "most": archive.MOST_COUNTED,
        "branches": branches,
        "names": names,
        "before": query_text("before"),
        "is_as_boards": _is_as_boards(),
        "opening": board_of(criteria) if criteria and criteria.game and (branches or criteria.line) else None,
        "sides": GAMES[criteria.game].seats if criteria and criteria.game else (),
        "results": _results(),
        "reasons": _reasons(),
    }
    return render_template("archive.html", **context)


def _results() -> dict[str, str]:
    seats = (_("first seat won"), _("second seat won"), _("drawn"), _("called off"))
    words = (*seats, _("the player won"), _("the player lost"))
    return dict(zip(archive.RESULTS, words, strict=True))


def _reasons() -> dict[str, str]:
    words = (_("by the rules"), _("by resignation"), _("on time"), _("by agreement"))
    return dict(zip(archive.REASONS, words, strict=True))


def _next_moves(db: Session, criteria: archive.Criteria) -> tuple[openings.NextMove, ...]:
    """The continuations of the opening in the found games; empty if no game is named.

    Without an opening they are the first moves.
    """
    if not criteria.game or len(criteria.line) >= openings.PLIES:
        return ()
    if not criteria.is_opening_only:
        return archive.next_moves(db, criteria)
    return known_moves(db, criteria).moves


@bp.get("/players/<handle>")
def player(handle: str) -> ResponseReturnValue:
    """Show a member's page: joining date, ratings, reliability, results and games.

    The handle in the URL may be in any letter case. A name that only imported records have leads to their games.
    """
    if handle in (DEPARTED, _(DEPARTED)):
        return refusal(404, _("Departed"), _("This player has left and been erased here; the games remain."))
    with reading() as db:
        person = person_by_handle(db, handle[:60])
        if person is None and (name := archive.imported_name(db, handle[:60])):
            return redirect(url_for("history.finished", player=name), 302)
        if person is None:
            abort(404)
        if person.handle != handle:
            return redirect(url_for("history.player", handle=person.handle), 301)
        now = current_runtime().now()
        rows = member_rows(db, person, finished_games(db, person.id, now=now))
        ratings = player_profile(db, person, session.visitor_id(), now=now)
        parts = parts_for(db, person.id)
        version = rows.version, ratings.version, parts, now.replace(minute=0, second=0, microsecond=0)
        return unchanged.answer(version, lambda: _member_page(db, rows.profile, ratings, parts, now))


def _member_page(
    db: Session, profile: Profile, ratings: PlayerProfile, parts: Sequence[ShownProfilePart], now: datetime
) -> str:
    """Render a member's page.

    The usual answer time is queried only here. The page version covers it: it depends on the games and the hour.
    """
    answers = {"answers_in": usual_answers(db, [ratings.person_id], now=now).get(ratings.person_id)}
    graphs = {one.key: graph_of(one) for one in ratings.curves}
    page = min(number(query_text("page", 6)) or 0, (len(profile.playing) - 1) // PLAYING_A_PAGE)
    first = max(page, 0) * PLAYING_A_PAGE
    return render_template(
        "player.html",
        profile=profile,
        player_profile=ratings,
        opponent=answers,
        graphs=graphs,
        parts=parts,
        playing=profile.playing[first : first + PLAYING_A_PAGE],
        page=max(page, 0),
        has_more=first + PLAYING_A_PAGE < len(profile.playing),
    )
