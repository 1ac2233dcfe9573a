"""Every position of a game as SVG, PNG and text, and its record: redacted for the visitor."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from correspondence.core.caching import cached
from correspondence.queries.queries import board_view, record_of
from correspondence.queries.view_models import GameView
from correspondence.render import raster
from correspondence.render.animation import animated_svg, film_frames
from correspondence.render.viewer_game import ViewerGame, small_svg
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.films import MOST_FRAMES, animated_webp
from correspondence.web.locale import language
from engines import svg, text
from engines.base import Viewer
from engines.scene import Scene
from engines.sketch import sketched
from engines.wording import _

bp = Blueprint("pictures", __name__)

KEPT = "private, max-age=604800"
"""Cache-Control for the small picture of a finished game: a week, in the browser only."""


@bp.get("/games/<number:number>/<number:ply>.svg")
def as_svg(number: int, ply: int) -> Response:
    """Return the position after `ply` entries as SVG; with `?board` only the board."""
    game = games.game_or_404(number, ply)
    return with_etag(Response(_drawing(game), mimetype="image/svg+xml"), is_settled=game.card.is_over)


@bp.get("/games/<number:number>/<number:ply>/small.svg")
def as_small_svg(number: int, ply: int) -> Response:
    """Return the board after `ply` entries as a small picture for lists.

    `side=1` shows it from the second seat's side. The picture of a finished game is the same for everybody and never
    changes, so browsers cache it.
    """
    with reading() as db:
        board = board_view(db, number, session.visitor_id(), ply)
    if board is None:
        abort(404)
    drawing = small_svg(board.scene, 1 if request.args.get("side") == "1" else 0)
    response = Response(drawing, mimetype="image/svg+xml")
    if board.is_over and not board.is_daily:
        response.headers["Cache-Control"] = KEPT
    return with_etag(response)


@bp.get("/games/<number:number>/<number:ply>.png")
def as_png(number: int, ply: int) -> ResponseReturnValue:
    """Return the position as PNG; an error page if it cannot be rendered."""
    throttle.hit(throttle.READ)
    game = games.game_or_404(number, ply)
    try:
        image = image_of(sketched(_scene(game), game.card.viewer or 0))
    except ValueError:
        sentence = _("The picture can't be made at the moment; the same address with .svg shows it.")
        return refusal(503, _("No picture"), sentence)
    return with_etag(Response(image, mimetype="image/png"), is_settled=game.card.is_over)


@bp.get("/games/<number:number>/<number:ply>.txt")
def as_text(number: int, ply: int) -> Response:
    """Return the position as a title and a text board."""
    game = games.game_or_404(number, ply)
    board = text.render(game.scene, bottom=game.card.viewer or 0)
    body = Response(f"{game.scene.title}\n\n{board.rstrip()}\n", mimetype="text/plain")
    return with_etag(body, is_settled=game.card.is_over)


@bp.get("/games/<number:number>.record")
def record(number: int) -> Response:
    """Return the record of the game as a file."""
    runtime = current_runtime()
    with reading() as db:
        body = record_of(db, number, session.visitor_id(), signer=runtime.signer, now=runtime.now())
    if body is None:
        abort(404)
    response = Response(body, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="game-{number}.record"'
    return with_etag(response)


@bp.get("/games/<number:number>/replay.svg")
def animation(number: int) -> Response:
    """Return the whole game so far as an animated SVG."""
    throttle.hit(throttle.FILM)
    game = games.game_or_404(number)
    drawing = _animation(game.viewer_game, game.card.viewer, language(), opened=game.card.is_over)
    return with_etag(Response(drawing, mimetype="image/svg+xml"), is_settled=game.card.is_over)


@bp.get("/games/<number:number>/replay.webp")
def film(number: int) -> ResponseReturnValue:
    """Return the whole game so far as animated WebP, for clients without SVG.

    Long games are sampled: every second position, every third, and so on.
    """
    throttle.hit(throttle.FILM)
    game = games.game_or_404(number)
    frames = film_frames(game.viewer_game, game.card.viewer, opened=game.card.is_over, most=MOST_FRAMES)
    try:
        moving = animated_webp(frames)
    except ValueError:
        sentence = _("The picture can't be made at the moment; the same address with .svg shows it.")
        return refusal(503, _("No picture"), sentence)
    return with_etag(Response(moving, mimetype="image/webp"), is_settled=game.card.is_over)


@cached(8)
def _animation(viewer_game: ViewerGame, viewer: Viewer, _language: str, *, opened: bool) -> str:
    return animated_svg(viewer_game, viewer, opened=opened)


def image_of(board: str) -> bytes:
    """Return a sketch or SVG as PNG, as in letters. Raises ValueError if it cannot be drawn."""
    return raster.board_png(board, raster.BOARD_SCALE)


def _drawing(game: GameView) -> str:
    return svg.render(_scene(game), bottom=game.card.viewer or 0)


def _scene(game: GameView) -> Scene:
    """The scene of the position; without trays and notes if the URL has `?board`."""
    return replace(game.scene, trays=(), notes=()) if "board" in request.args else game.scene


def with_etag(response: Response, *, is_settled: bool = False) -> Response:
    """Add an ETag to the response and answer conditional requests.

    If the game is over (`is_settled`) and the visitor is not a member, public caches may keep the response for a day.
    """
    response.add_etag()
    if is_settled and session.visitor() is None:
        response.headers["Cache-Control"] = "public, max-age=86400"
        response.headers["Vary"] = "Accept-Language, Cookie"
    response.make_conditional(request)
    return response
