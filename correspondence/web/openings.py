"""The board of an opening in the archive, on which continuations are chosen by touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.archive import openings
from correspondence.archive.search import ArchiveError, Criteria, read_criteria
from correspondence.render.viewer_game import scene_svg, touch_faces, touch_labels
from correspondence.web import lines, throttle
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, plain, query_text
from correspondence.web.lines import SEPARATOR
from engines import GAMES
from engines.base import CHANCE, MoveError, Position
from engines.options import options_from, read_options

bp = Blueprint("openings", __name__)

LONGEST_OPENING = 400
"""Maximum length of the moves of an opening, in characters."""

_FIELDS = ("options", "player", "opponent", "result", "reason", "shortest", "longest", "since", "until")


@dataclass(frozen=True, slots=True)
class OpeningBoard:
    """The board after an opening: its picture, and the URL of its touch tree of continuations."""

    picture: str
    moves: str


def board_of(criteria: Criteria) -> OpeningBoard:
    """The board after the opening of a search that names a game."""
    position = _position(criteria)
    named = {"game": criteria.game, "options": criteria.options, "moves": SEPARATOR.join(criteria.line)}
    address = url_for("openings.moves", **_filled(named))
    return OpeningBoard(scene_svg(position.draw(), 0), address)


def _position(criteria: Criteria) -> Position[Any]:
    options: Any = read_options(GAMES[criteria.game].Options, options_from(criteria.options or ""))
    return openings.after_moves(GAMES[criteria.game], options, criteria.line)[1]


@bp.get("/archive/opening/moves.json")
def moves() -> ResponseReturnValue:
    """Return the continuations in finished games as a touch tree."""
    throttle.hit(throttle.READ)
    criteria = _criteria({name: query_text(name, LONGEST_OPENING) for name in ("game", "options", "moves")})
    position, seat = _position(criteria), lines.seat_to_act(_position(criteria))
    if seat is None:
        return jsonify(lines.NOTHING)
    key = criteria.position
    with reading() as db:
        known = openings.next_moves(
            db, openings.start_key(GAMES[criteria.game], criteria.options or "") if key is None else key
        )
    tree = lines.tree_of(position, (openings.read_at(position, one.text) for one in known))
    if seat == CHANCE:
        return jsonify(tree=tree, labels={}, faces={})
    return jsonify(tree=tree or None, labels=touch_labels(position, seat), faces=touch_faces(position, seat))


@bp.post("/archive/opening/read")
def read() -> ResponseReturnValue:
    """Preview a move after the opening, as JSON."""
    throttle.hit(throttle.READ)
    return lines.verdict_on(_position(_criteria_of_form()))


@bp.post("/archive/opening")
def play() -> ResponseReturnValue:
    """Redirect to the games that continued with a move.

    The archive page refuses an impossible one.
    """
    throttle.hit(throttle.ACT)
    criteria = _criteria_of_form()
    kept: dict[str, str | None] = {name: form_text(name, 60) for name in _FIELDS}
    line = SEPARATOR.join((*criteria.line, lines.asked_move().replace(";", " ")))
    return redirect(url_for("history.finished", game=criteria.game, **_filled(kept), moves=line, _anchor="board"), 303)


def _filled(fields: dict[str, str | None]) -> dict[str, Any]:
    return {name: text for name, text in fields.items() if text}


def _criteria_of_form() -> Criteria:
    return _criteria(
        {name: plain(request.form.get(name, ""), LONGEST_OPENING) for name in ("game", "options", "moves")}
    )


def _criteria(fields: dict[str, str]) -> Criteria:
    """The opening in these fields; 404 if the game is unknown or the moves cannot be played."""
    try:
        criteria = read_criteria(fields, "UTC")
    except (ArchiveError, MoveError):
        abort(404)
    return criteria if criteria.game else abort(404)
