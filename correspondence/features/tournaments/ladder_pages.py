"""Pages of ladders: the rungs, one's challenges, and what one can do there."""

from __future__ import annotations

import random
from datetime import datetime

from flask import Blueprint, abort, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.features.tournaments import ladder_views, ladders
from correspondence.features.tournaments.page_acts import Act, done
from correspondence.models import Person
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text
from engines import GAMES
from engines.wording import _

bp = Blueprint("ladders", __name__)


@bp.get("/ladders/<key>")
def show(key: str) -> str:
    """Show the ladder of a game, even before anybody has entered it."""
    return _page(key)


@bp.post("/ladders/<key>/enter")
def enter(key: str) -> ResponseReturnValue:
    """Enter the ladder, at the bottom."""

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        ladders.enter(db, person, key, now=now)
        return _("You are on the ladder, at the bottom. Challenge somebody above you.")

    return _done(key, act)


@bp.post("/ladders/<key>/leave")
def leave(key: str) -> ResponseReturnValue:
    """Leave the ladder."""

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        ladders.leave(db, person, key, now=now)
        return _("You have left the ladder. Your running games go on.")

    return _done(key, act)


@bp.post("/ladders/<key>/challenge")
def challenge(key: str) -> ResponseReturnValue:
    """Challenge somebody above."""
    handle = form_text("handle", 40)

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        ladders.challenge(db, person, key, handle, now=now)
        return _("{handle} has a letter with your challenge.").format(handle=handle)

    return _done(key, act)


@bp.post("/ladders/<key>/accept")
def accept(key: str) -> ResponseReturnValue:
    """Accept a challenge; the game begins."""
    handle = form_text("handle", 40)

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        number = ladders.accept(db, person, key, handle, now=now, rng=rng).match_id
        return _("Game {number} has begun.").format(number=number)

    return _done(key, act)


def _page(key: str, refused: str = "") -> str:
    game = GAMES.get(key)
    if game is None or len(game.seats) != 2:
        abort(404)
    with reading() as db:
        view = ladder_views.view_of(db, key, session.visitor_id(), now=current_runtime().now())
    return render_template("tournaments/ladder.html", view=view, refused=refused)


def _done(key: str, act: Act) -> ResponseReturnValue:
    return done(act, lambda sentence: _page(key, sentence), url_for("ladders.show", key=key), exists=key in GAMES)
