"""Every moment of a game as SVG, PNG and text, and its record: redacted for whoever asks."""

from __future__ import annotations

from dataclasses import replace

import resvg_py
from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from correspondence.db import reading
from correspondence.house import this_house
from correspondence.queries import record_of
from correspondence.shown import Table
from correspondence.web import games, limits, session
from correspondence.web.refusals import refusal
from engines import svg, text
from engines.wording import _

bp = Blueprint("pictures", __name__, url_prefix="/games")

PNG_WIDTH = 720
"""The width of a picture in pixels."""


@bp.get("/<number:number>/<number:ply>.svg")
def as_svg(number: int, ply: int) -> Response:
    """The position after so many entries as a drawing; with `?board` the board alone."""
    return _checked(Response(_drawing(games.found(number, ply)), mimetype="image/svg+xml"))


@bp.get("/<number:number>/<number:ply>.png")
def as_png(number: int, ply: int) -> ResponseReturnValue:
    """The same as an image; where it cannot be made here, a sentence says so."""
    limits.knock(limits.READ)
    drawing = _drawing(games.found(number, ply))
    try:
        image = bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=PNG_WIDTH))
    except ValueError:
        sentence = _("The picture cannot be made at the moment; the same address with .svg shows it.")
        return refusal(503, _("No picture"), sentence)
    return _checked(Response(image, mimetype="image/png"))


@bp.get("/<number:number>/<number:ply>.txt")
def as_text(number: int, ply: int) -> Response:
    """The same as a board of letters, and the position in words."""
    seen = games.found(number, ply)
    board = text.render(seen.scene, bottom=seen.card.viewer or 0)
    return _checked(Response(f"{seen.scene.title}\n\n{board.rstrip()}\n", mimetype="text/plain"))


@bp.get("/<number:number>.record")
def record(number: int) -> Response:
    """The record of the game as a file."""
    site = f"{this_house().settings.base_url}/games/{number}"
    with reading(this_house().engine) as looking:
        written = record_of(looking, number, session.visitor_id(), site=site)
    if written is None:
        abort(404)
    answer = Response(written, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="game-{number}.record"'
    return _checked(answer)


def _drawing(seen: Table) -> str:
    scene = replace(seen.scene, trays=(), notes=()) if "board" in request.args else seen.scene
    return svg.render(scene, bottom=seen.card.viewer or 0)


def _checked(answer: Response) -> Response:
    """The answer with a mark by which a browser asks whether it has changed."""
    answer.add_etag()
    answer.make_conditional(request)
    return answer
