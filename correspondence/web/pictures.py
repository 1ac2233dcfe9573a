"""Every moment of a game as SVG, PNG and text, and its record: redacted for whoever asks."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import resvg_py
from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from correspondence.queries.queries import record_of
from correspondence.queries.view_models import GameView
from correspondence.render.animation import animated_svg
from correspondence.render.viewer_game import ViewerGame
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.locale import language
from engines import svg, text
from engines.base import Viewer
from engines.wording import _

bp = Blueprint("pictures", __name__, url_prefix="/games")

PNG_WIDTH = 720
"""The width of a picture in pixels."""


@bp.get("/<number:number>/<number:ply>.svg")
def as_svg(number: int, ply: int) -> Response:
    """The position after so many entries as a drawing; with `?board` the board alone."""
    seen = games.found(number, ply)
    return checked(Response(_drawing(seen), mimetype="image/svg+xml"), is_settled=seen.card.is_over)


@bp.get("/<number:number>/<number:ply>.png")
def as_png(number: int, ply: int) -> ResponseReturnValue:
    """The same as an image; where it cannot be made here, a sentence says so."""
    throttle.hit(throttle.READ)
    seen = games.found(number, ply)
    drawing = _drawing(seen)
    try:
        image = _image(drawing)
    except ValueError:
        sentence = _("The picture cannot be made at the moment; the same address with .svg shows it.")
        return refusal(503, _("No picture"), sentence)
    return checked(Response(image, mimetype="image/png"), is_settled=seen.card.is_over)


@bp.get("/<number:number>/<number:ply>.txt")
def as_text(number: int, ply: int) -> Response:
    """The same as a board of letters, and the position in words."""
    seen = games.found(number, ply)
    board = text.render(seen.scene, bottom=seen.card.viewer or 0)
    written = Response(f"{seen.scene.title}\n\n{board.rstrip()}\n", mimetype="text/plain")
    return checked(written, is_settled=seen.card.is_over)


@bp.get("/<number:number>.record")
def record(number: int) -> Response:
    """The record of the game as a file."""
    site = f"{current_runtime().settings.base_url}/games/{number}"
    with reading() as looking:
        written = record_of(looking, number, session.visitor_id(), site=site)
    if written is None:
        abort(404)
    answer = Response(written, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="game-{number}.record"'
    return checked(answer)


@bp.get("/<number:number>/replay.svg")
def as_film(number: int) -> Response:
    """The whole game as one picture that moves, as far as it was played."""
    throttle.hit(throttle.FILM)
    seen = games.found(number)
    drawing = _film(seen.course, seen.card.viewer, language(), opened=seen.card.is_over)
    return checked(Response(drawing, mimetype="image/svg+xml"), is_settled=seen.card.is_over)


@lru_cache(maxsize=32)
def _film(course: ViewerGame, viewer: Viewer, _language: str, *, opened: bool) -> str:
    return animated_svg(course, viewer, opened=opened)


@lru_cache(maxsize=256)
def _image(drawing: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=PNG_WIDTH))


def _drawing(seen: GameView) -> str:
    scene = replace(seen.scene, trays=(), notes=()) if "board" in request.args else seen.scene
    return svg.render(scene, bottom=seen.card.viewer or 0)


def checked(answer: Response, *, is_settled: bool = False) -> Response:
    """The answer with a mark by which a browser asks whether it has changed.

    What is settled, because the game is over, may be kept for a day by anybody who keeps it for strangers.
    """
    answer.add_etag()
    if is_settled and session.visitor() is None:
        answer.headers["Cache-Control"] = "public, max-age=86400"
        answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.make_conditional(request)
    return answer
