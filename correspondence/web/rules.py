"""The rules: a page for each game, its diagrams, and its picture."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.matchmaking import teaching_games
from correspondence.rulebook.chapters import CHAPTERS, Diagram
from correspondence.rulebook.drawing import Picture, drawn
from correspondence.rulebook.examples import begun_game
from correspondence.rulebook.pages import PLAIN, page_of
from correspondence.rulebook.sample_games import sample_film
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.game_intros import INTROS, example_picture
from correspondence.web.locale import language
from correspondence.web.pictures import image_of, with_etag
from correspondence.web.sample_letter import sample_letter
from correspondence.web.tryout import can_try
from engines import BROUGHT, GAMES
from engines.base import Game
from engines.wording import N_, _, listing

bp = Blueprint("rules", __name__)

log = logging.getLogger(__name__)

COMMON_SECTIONS = {
    "notation": N_("How moves are written"),
    "letter": N_("A sample letter"),
    "credits": N_("Credits"),
}
"""The last sections of every rules page."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A diagram on a page: the URL of its picture, and the rendered picture."""

    diagram: Diagram
    address: str
    picture: Picture
    trial: str
    """The URL of the board to play on; empty if the game is over in the diagram."""


@bp.get("/rules/")
@bp.get("/rules")
def every() -> str:
    """List all games with links to their rules."""
    return render_template("rules_of_all.html", intros=INTROS)


@bp.get("/rules/<key>")
def show(key: str) -> ResponseReturnValue:
    """Show the rules of one game, with diagrams."""
    if key not in CHAPTERS:
        return _unknown_game()
    chapter = CHAPTERS[key]
    subject, letter, reply = _letter(key)
    figures = {one.name: figure for one in chapter.diagrams if (figure := _figure(key, one)) is not None}
    facts = {
        "game": GAMES[key],
        "intro": INTROS[key],
        "sections": {**chapter.sections, **COMMON_SECTIONS},
        "figures": figures,
        "examples": chapter.examples,
        "subject": subject,
        "letter": letter,
        "reply": reply,
        "lesson": _lesson(GAMES[key]),
    }
    try:
        return render_template(page_of(GAMES[key]), **facts)
    except Exception:
        if key not in BROUGHT:
            raise
        log.warning("the rules page of %s is left out", key, exc_info=True)
        return render_template(PLAIN, **facts)


def _letter(key: str) -> tuple[str, str, str]:
    """Subject and text of the sample letter, and the reply to it.

    If the position that a game package chose cannot be shown, some random moves are played instead. All three are
    empty if that fails too.
    """
    chapter, base = CHAPTERS[key], current_runtime().settings.base_url
    for is_own in (True, False):
        try:
            moment, reply = (chapter.letter, chapter.reply) if is_own else begun_game(GAMES[key])
            return *sample_letter(key, moment, language(), base), reply
        except Exception:
            if key not in BROUGHT:
                raise
            log.warning("the sample letter of %s is left out", key, exc_info=True)
    return "", "", ""


def _lesson(game: Game) -> str:
    """Return "new" or "known" if a robot can teach this game now, or else "".

    It is "new" if the visitor is signed out, or has neither finished a game of it nor a running lesson.
    """
    visitor = session.visitor_id()
    with reading() as db:
        if not teaching_games.can_begin(db, game, now=current_runtime().now()):
            return ""
        return "new" if visitor is None or game in teaching_games.untried(db, visitor) else "known"


@bp.get("/rules/<key>.svg")
def picture(key: str) -> ResponseReturnValue:
    """Return a picture of the game's board after some moves."""
    if key not in GAMES:
        return _unknown_game()
    return Response(example_picture(key), mimetype="image/svg+xml")


@bp.get("/rules/<key>.png")
def image(key: str) -> ResponseReturnValue:
    """Return the game's picture as PNG, for link previews."""
    throttle.hit(throttle.READ)
    if key not in GAMES:
        return _unknown_game()
    return with_etag(Response(image_of(example_picture(key)), mimetype="image/png"))


@bp.get("/rules/<key>/film.svg")
def film(key: str) -> ResponseReturnValue:
    """Return an animation of a whole sample game that lasts a minute."""
    throttle.hit(throttle.FILM)
    drawing = sample_film(key) if key in GAMES else ""
    if not drawing:
        return _unknown_game()
    return with_etag(Response(drawing, mimetype="image/svg+xml"))


@bp.get("/rules/<key>/<name>.svg")
def diagram(key: str, name: str) -> ResponseReturnValue:
    """Return one diagram of a page, compressed if the client accepts gzip."""
    if key not in CHAPTERS:
        return _unknown_game()
    drawing = CHAPTERS[key].diagram(name)
    picture = drawn(key, drawing, language()) if drawing is not None else None
    if picture is None:
        sentence = _("The rules of %(game)s have no such diagram.") % {"game": _(GAMES[key].name)}
        return refusal(404, _("No such diagram"), sentence)
    return _response(picture)


def _figure(key: str, one: Diagram) -> Figure | None:
    """A diagram as the page shows it; None if its game cannot show it."""
    picture = drawn(key, one, language())
    if picture is None:
        return None
    address = url_for("rules.diagram", key=key, name=one.name)
    trial = url_for("tryout.show", key=key, name=one.name) if can_try(key, one) else ""
    return Figure(one, address, picture, trial)


def _response(picture: Picture) -> Response:
    accepts_gzip = request.accept_encodings.best_match(["gzip"]) == "gzip"
    response = Response(picture.gzipped if accepts_gzip else picture.document, mimetype="image/svg+xml")
    if accepts_gzip:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.update(("Accept-Encoding", "Accept-Language", "Cookie"))
    response.add_etag()
    response.make_conditional(request)
    return response


def _unknown_game() -> ResponseReturnValue:
    names = listing([_(game.name) for game in GAMES.values()], _("and"))
    sentence = _("There's no game of that name here. The games are %(games)s.") % {"games": names}
    return refusal(404, _("No such game"), sentence)
