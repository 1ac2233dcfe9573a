"""Pages of leagues: each season with its divisions, and what one can do there."""

from __future__ import annotations

import random
from datetime import datetime

from flask import Blueprint, abort, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.features.tournaments import league_views, leagues
from correspondence.features.tournaments.page_acts import Act, done
from correspondence.models import Person
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines import GAMES
from engines.wording import _

bp = Blueprint("leagues", __name__)


@bp.get("/leagues/<key>")
def show(key: str) -> str:
    """Show the latest season of the league of a game, even before anybody has entered it."""
    return _page(key)


@bp.get("/leagues/<key>/<number:season>")
def show_season(key: str, season: int) -> str:
    """Show one season."""
    return _page(key, season)


@bp.post("/leagues/<key>/enter")
def enter(key: str) -> ResponseReturnValue:
    """Enter the league for its next season."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        leagues.enter(db, person, key, now=now, rng=rng)
        return entered()

    return _done(key, act)


@bp.post("/leagues/<key>/leave")
def leave(key: str) -> ResponseReturnValue:
    """Leave the league."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        leagues.leave(db, person, key, now=now, rng=rng)
        return left()

    return _done(key, act)


@bp.post("/leagues/<key>/rest")
def rest(key: str) -> ResponseReturnValue:
    """Skip the next season."""

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        return rests(leagues.rest(db, person, key, now=now))

    return _done(key, act)


def entered() -> str:
    """Say what entering a league means."""
    return _("You are in the league, in this season if it is just beginning, else from the next one on.")


def left() -> str:
    """Say what leaving a league means."""
    return _("You have left the league. Your running games go on.")


def rests(season: int) -> str:
    """Say what resting means."""
    return _("You rest in season {season}, and play again in the one after it.").format(season=season)


def _page(key: str, season: int | None = None, refused: str = "") -> str:
    game = GAMES.get(key)
    if game is None or len(game.seats) != 2:
        abort(404)
    with reading() as db:
        view = league_views.view_of(db, key, session.visitor_id(), season=season, now=current_runtime().now())
    if view is None:
        abort(404)
    return render_template("tournaments/league.html", view=view, refused=refused)


def _done(key: str, act: Act) -> ResponseReturnValue:
    return done(
        act, lambda sentence: _page(key, refused=sentence), url_for("leagues.show", key=key), exists=key in GAMES
    )
