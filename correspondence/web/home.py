"""The front page, the help, and the page of each game's rules."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template

from correspondence.db import reading
from correspondence.house import this_house
from correspondence.queries import archive
from correspondence.web.showcase import BLURBS, example_picture, start_picture
from engines import GAMES
from engines.options import choices_of

bp = Blueprint("home", __name__)

LATEST = 6
"""How many finished games the front page shows."""


@bp.get("/")
def front() -> str:
    """What this is, the games with a picture of each, and what was finished lately."""
    with reading(this_house().engine) as looking:
        latest = archive(looking)[:LATEST]
    return render_template("home.html", latest=latest, blurbs=BLURBS)


@bp.get("/help")
def help_page() -> str:
    """How to play here, by mail and on pages."""
    return render_template("help.html", domain=this_house().settings.mail_domain, blurbs=BLURBS)


@bp.get("/rules/<key>")
def rules(key: str) -> str:
    """A game: who made it, a picture of its beginning, its options, and how moves are written."""
    game = GAMES.get(key)
    if game is None:
        abort(404)
    choices = choices_of(game.Options)
    return render_template(
        "rules.html", game=game, blurb=BLURBS[key], choices=choices, picture=start_picture(key)
    )


@bp.get("/rules/<key>.svg")
def rules_picture(key: str) -> Response:
    """The board of a game after some moves."""
    if key not in GAMES:
        abort(404)
    return Response(example_picture(key), mimetype="image/svg+xml")
