"""A game in a frame on other sites: its viewer, scenes and picture, and how to embed it (oEmbed).

All of it is what the public may see: nobody is looked up here, no cookie is read or set, and there are no forms.
"""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.queries.queries import game_view
from correspondence.queries.view_models import GameView
from correspondence.render import raster
from correspondence.render.link_card import HEIGHT as CARD_HEIGHT
from correspondence.render.link_card import WIDTH as CARD_WIDTH
from correspondence.render.link_card import link_card
from correspondence.render.narration import sentence
from correspondence.render.replay_scenes import replay_json
from correspondence.render.viewer_game import scene_svg
from correspondence.web import throttle
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import number as as_number
from correspondence.web.forms import query_text
from correspondence.web.frames import HEIGHT, WIDTH, frame, title_of
from correspondence.web.headers import FRAMED_POLICY
from correspondence.web.locale import language
from correspondence.web.pictures import with_etag
from correspondence.web.previews import absolute
from engines.base import Seat
from engines.wording import _

bp = Blueprint("embed", __name__)

LONGEST_URL = 500
"""Maximum length of the URL that oEmbed asks about, in characters."""

KEPT = 3600
"""How long other sites may keep an oEmbed answer, in seconds."""

_GAME_PATH = re.compile(r"/games/(\d+)(?:/(\d+))?(?:/embed)?")


@bp.get("/games/<number:number>/embed")
def show(number: int) -> Response:
    """Show the viewer of a game at its last position."""
    return _viewer(number, None)


@bp.get("/games/<number:number>/<number:ply>/embed")
def at(number: int, ply: int) -> Response:
    """Show the viewer of a game at the position after `ply` entries."""
    return _viewer(number, ply)


@bp.get("/games/<number:number>/embed.json")
def scenes(number: int) -> ResponseReturnValue:
    """Return every scene of a game for the viewer's script; `bottom` is the seat at the bottom of the board."""
    throttle.hit(throttle.SCENES)
    game = _public_game(number)
    if game is None:
        abort(404)
    body = replay_json(game.viewer_game, None, language(), opened=game.card.is_over, bottom=_bottom())
    response = Response(f'{body[:-1]},"foreseen":[]}}', mimetype="application/json")
    return with_etag(_for_any_origin(response), is_settled=game.card.is_over)


@bp.get("/games/<number:number>/<number:ply>/preview.png")
def picture(number: int, ply: int) -> ResponseReturnValue:
    """Return the wide picture of a position for previews of links."""
    throttle.hit(throttle.READ)
    game = _public_game(number, ply)
    if game is None:
        abort(404)
    handles = [player.handle for player in game.card.players]
    moment = game.card.ending if game.is_latest and game.card.is_over else _moment(game)
    try:
        image = raster.board_png(link_card(game.scene, 0, (game.card.game, *handles, moment)), 1)
    except ValueError:
        abort(503)
    return with_etag(Response(image, mimetype="image/png"), is_settled=game.card.is_over)


@bp.get("/oembed")
def oembed() -> ResponseReturnValue:
    """Say how to embed the game or position at `url`, at most `maxwidth` × `maxheight` pixels (oEmbed 1.0)."""
    throttle.hit(throttle.READ)
    wanted = query_text("format")
    if wanted not in ("", "json"):
        return refusal(
            501 if wanted == "xml" else 422, _("That cannot be done"), _("This address answers in JSON only.")
        )
    game = _game_at(query_text("url", LONGEST_URL))
    if game is None:
        abort(404)
    width, height = (_at_most(name, size) for name, size in (("maxwidth", WIDTH), ("maxheight", HEIGHT)))
    picture = url_for("embed.picture", number=game.card.number, ply=game.ply)
    answer = {
        "version": "1.0", "type": "rich", "provider_name": "Correspondence", "provider_url": absolute("/"),
        "title": title_of(game), "html": frame(game, width, height), "width": width, "height": height,
        "thumbnail_url": absolute(picture), "thumbnail_width": CARD_WIDTH, "thumbnail_height": CARD_HEIGHT,
        "cache_age": KEPT,
    }  # fmt: skip
    return with_etag(_for_any_origin(jsonify(answer)), is_settled=game.card.is_over)


def _viewer(number: int, ply: int | None) -> Response:
    game = _public_game(number, ply)
    if game is None:
        return _missing()
    bottom = _bottom()
    page = render_template(
        "embed.html",
        table=game,
        card=game.card,
        title=title_of(game),
        moment=_moment(game),
        picture=scene_svg(game.scene, bottom),
        told=sentence(game.viewer_game, game.ply, None, opened=game.card.is_over),
        bottom=bottom,
    )
    return with_etag(_framed(make_response(page)), is_settled=game.card.is_over)


def _missing() -> Response:
    """Return the 404 for a game that does not exist or is not public; a frame may show it too."""
    return _framed(make_response(render_template("embed_missing.html"), 404))


def _public_game(number: int, ply: int | None = None) -> GameView | None:
    with reading() as db:
        return game_view(db, number, None, ply)


def _game_at(url: str) -> GameView | None:
    """The public game whose page is at this URL of ours; None for any other URL."""
    path = re.split("[?#]", url, maxsplit=1)[0]
    base = absolute("")
    found = _GAME_PATH.fullmatch(path.removeprefix(base)) if path.startswith(base) else None
    if found is None:
        return None
    number, ply = as_number(found[1]), as_number(found[2] or "")
    is_real = number is not None and (ply is not None or found[2] is None)
    return _public_game(number, ply) if is_real and number is not None else None


def _moment(game: GameView) -> str:
    return _("After move %(ply)s of %(all)s.") % {"ply": game.ply, "all": game.card.ply}


def _bottom() -> Seat:
    return 1 if query_text("bottom") == "1" else 0


def _at_most(name: str, usual: int) -> int:
    """The usual size in pixels, or the other site's maximum if that is smaller; other texts are ignored."""
    return max(min(usual, as_number(query_text(name)) or usual), 1)


def _framed(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = FRAMED_POLICY
    return response


def _for_any_origin(response: Response) -> Response:
    """Let scripts of other origins read a public response, as those of a sandboxed frame are."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
