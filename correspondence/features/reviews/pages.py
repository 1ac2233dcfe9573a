"""Asking for a second opinion on a finished game."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from correspondence.core.db import transaction
from correspondence.features.reviews import reviews
from correspondence.models import Person
from correspondence.play.matches import MatchError
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from engines.wording import _

bp = Blueprint(
    "reviews", __name__, static_folder="static", static_url_path="/static/reviews", template_folder="templates/web"
)


@bp.post("/games/<number:match>/review")
def ask(match: int) -> ResponseReturnValue:
    """Ask for the second opinion on a game; the game's page shows the reason for a refusal."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    seen = games.game_or_404(match)
    try:
        with transaction(runtime.engine) as db:
            reviews.ask(db, db.get_one(Person, member.id), match, now=runtime.now())
    except MatchError as error:
        return games.page(seen, refused=str(error)), 422
    flash(_("A robot looks at the game. Its second opinion appears below, move by move."))
    return redirect(url_for("games.at", number=match, ply=seen.card.ply, _anchor="review"), 303)
