"""All scenes of a game as JSON for the replay script, redacted for the visitor."""

from __future__ import annotations

import json

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from correspondence.play.conditional.foreseen import foreseen_lines
from correspondence.queries.queries import player_of
from correspondence.queries.view_models import GameView
from correspondence.render.replay_scenes import replay_json
from correspondence.web import games, session, throttle
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import number as as_number
from correspondence.web.forms import query_text
from correspondence.web.locale import language
from correspondence.web.pictures import with_etag
from engines.wording import _

bp = Blueprint("scenes", __name__)


@bp.get("/games/<number:number>/scenes.json")
def of_game(number: int) -> ResponseReturnValue:
    """Return every scene of the game so far, redacted for the visitor.

    `bottom` is the seat at the bottom of the board. For a finished game, `eyes` is the seat whose view is shown. In a
    running game `eyes` is refused, so that each player sees only their own view.
    """
    throttle.hit(throttle.SCENES)
    game = games.game_or_404(number)
    seats = {str(player.seat): player.seat for player in game.card.players}
    eyes, bottom = query_text("eyes"), query_text("bottom")
    if eyes and not game.card.is_over:
        sentence = _("While a game is running, it can only be seen as yourself.")
        return refusal(403, _("Not allowed"), sentence)
    if (eyes and eyes not in seats) or bottom not in ("", "0", "1"):
        return refusal(422, _("That cannot be done"), _("This game has no such player."))
    body = _scenes(game, seats.get(eyes), game.card.viewer or 0 if not bottom else as_number(bottom) or 0)
    body = f'{body[:-1]},"foreseen":{_foreseen(game)}}}'
    return with_etag(Response(body, mimetype="application/json"), is_settled=game.card.is_over)


def _scenes(game: GameView, eyes: int | None, bottom: int) -> str:
    viewer, opened = (game.card.viewer, game.card.is_over) if eyes is None else (eyes, False)
    member = session.visitor()
    board = member.board if member else "picture"
    return replay_json(game.viewer_game, viewer, language(), opened=opened, bottom=bottom, board=board)


def _foreseen(game: GameView) -> str:
    """The planned lines that this visitor may read, as JSON.

    Each has a ply, a seat, a sentence, and the touched places.
    """
    if not game.card.is_over or game.card.viewer is None:
        return "[]"
    with reading() as db:
        player = player_of(db, game.card.number, session.visitor_id() or 0)
        lines = foreseen_lines(db, player) if player else ()
    sentence = _("Planned by {handle}: {line}")
    handles = {player.seat: player.handle for player in game.card.players}
    plans = [
        {"ply": line.ply, "seat": line.owner, "paths": line.paths,
         "words": sentence.format(handle=handles[line.owner], line=line.text)}
        for line in lines
    ]  # fmt: skip
    return json.dumps(plans, ensure_ascii=False, separators=(",", ":"))
