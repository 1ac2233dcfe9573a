"""Puzzles: the deal of the day, puzzles with chosen options, and results compared with par."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.core import db as core_db
from correspondence.core.db import transaction
from correspondence.matchmaking import challenges
from correspondence.models import Person
from correspondence.play import puzzles
from correspondence.web import guest_deal, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import chosen_options, form_text
from engines import GAMES
from engines.base import MoveError
from engines.duel_puzzle.goals import PAR, SENTENCES
from engines.options import choices_of
from engines.refusal import Refusal

bp = Blueprint("puzzles", __name__)


@bp.get("/puzzles")
def show() -> str:
    """Show today's deal and its best results.

    Members also see the form to begin a puzzle, and their own results.
    """
    return _page()


@bp.post("/puzzles")
def begin() -> ResponseReturnValue:
    """Begin a puzzle with the goal and the board chosen in the form."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    options = chosen_options(("goal", "board"), request.form)
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            match = challenges.start_alone(db, person, puzzles.KEY, options, now=runtime.now(), rng=runtime.rng)
    except Refusal as error:
        return _page(str(error)), 422
    return redirect(url_for("games.show", number=match.id), 303)


@bp.post("/puzzles/today")
def daily() -> ResponseReturnValue:
    """Begin or continue the member's game of the deal of the day."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    with transaction(runtime.engine) as db:
        person = db.get_one(Person, member.id)
        match = puzzles.start_daily(db, person, now=runtime.now(), rng=runtime.rng)
    return redirect(url_for("games.show", number=match.id), 303)


@bp.post("/puzzles/guest")
def move_as_guest() -> ResponseReturnValue:
    """Play a guest's move in today's deal; refuse an impossible one with a sentence."""
    throttle.hit(throttle.ACT)
    if session.visitor() is not None:
        return redirect(url_for("puzzles.show"), 303)
    _prepare_days()
    text = guest_deal.asked_move()
    with core_db.reading(current_runtime().engine) as db:
        before = guest_deal.attempt_now(db)
        try:
            after = puzzles.attempt(db, before.day, (*before.moves, text))
        except MoveError as error:
            return _page(guest=guest_deal.shown(before, refused=error, typed=text)), 422
    guest_deal.keep(after)
    place = "home.front" if form_text("from", 10) == "front" else "puzzles.show"
    return redirect(url_for(place, _anchor="deal"), 303)


def _prepare_days() -> None:
    """Make the deals of today and tomorrow if no worker has done so yet.

    The request's read-only session would not see them, so the page must be read in a new session.
    """
    runtime = current_runtime()
    core_db.write_unless(
        runtime.engine,
        lambda session: puzzles.are_days_prepared(session, now=runtime.now()),
        lambda session: puzzles.prepare_days(session, now=runtime.now(), rng=runtime.rng),
    )


def _page(refused: str = "", *, guest: dict[str, Any] | None = None) -> str:
    """Render the page of puzzles; `guest` is a guest's attempt after a refused move, if any."""
    runtime, number = current_runtime(), session.visitor_id()
    now = runtime.now()
    _prepare_days()
    with core_db.reading(runtime.engine) as db:
        today = puzzles.today(db, number, now=now)
        yesterday = puzzles.best_results(db, today.day - puzzles.DAY)
        is_done = puzzles.is_done(db, number, today.day - puzzles.DAY)
        mine = puzzles.puzzles_of(db, number) if number is not None else ()
        if number is None and guest is None:
            guest = guest_deal.shown(guest_deal.attempt_now(db))
    boards = next(choice.values for choice in choices_of(GAMES[puzzles.KEY].Options) if choice.name == "board")
    return render_template(
        "puzzles.html", today=today, yesterday=yesterday, mine=mine, boards=boards, sentences=SENTENCES, par=PAR,
        refused=refused, typed=request.form, is_done=is_done, guest=guest,
    )  # fmt: skip
