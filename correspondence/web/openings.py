"""Openings: the board after some moves, and how finished games went on; continuations are chosen by touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.archive import openings
from correspondence.archive.search import ArchiveError, Criteria, read_criteria
from correspondence.render.charts import results_bar
from correspondence.render.viewer_game import scene_svg, touch_faces, touch_labels
from correspondence.web import books, lines, throttle
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import form_text, plain, query_text
from correspondence.web.game_intros import INTROS
from correspondence.web.lines import SEPARATOR
from engines import GAMES
from engines.base import CHANCE, Game, MoveError, Position
from engines.options import choices_of, options_from, read_options
from engines.wording import _

bp = Blueprint("openings", __name__)

LONGEST_OPENING = 400
"""Maximum length of the moves of an opening, in characters."""

_FIELDS = ("options", "player", "opponent", "result", "reason", "shortest", "longest", "since", "until")


@dataclass(frozen=True, slots=True)
class OpeningBoard:
    """The board after an opening: its picture, and the URL of its touch tree of continuations."""

    picture: str
    moves: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A continuation of the opening: its statistics, the moves including it, and a result bar."""

    next_move: openings.NextMove
    moves: str
    bar: str


def branch_of(next_move: openings.NextMove, criteria: Criteria) -> Branch:
    """Return a continuation of an opening with the bar of its results."""
    sides = GAMES[criteria.game].seats
    counts = {"first": next_move.first_wins, "drawn": next_move.draws, "second": next_move.second_wins}
    if len(sides) > 1:
        title = _("{first} won by {one}, {drawn} drawn, {second} won by {other}")
        label = title.format(one=_(sides[0]), other=_(sides[1]), **counts)
    else:
        label = _("{first} won, {drawn} drawn, {second} lost").format(**counts)
    colours = ("is-black", "is-white") if sides[0] == "Black" else ("is-white", "is-black")
    bar = results_bar(next_move.first_wins, next_move.draws, next_move.second_wins, label, colours)
    return Branch(next_move, SEPARATOR.join((*criteria.line, next_move.text)), bar)


def known_moves(session: Session, criteria: Criteria) -> books.KnownMoves:
    """Return how finished games and books went on after the opening of a search that names a game."""
    key = criteria.position
    if key is None:
        key = openings.start_key(GAMES[criteria.game], criteria.options or "")
    return books.moves_from(session, key)


def board_of(criteria: Criteria) -> OpeningBoard:
    """The board after the opening of a search that names a game."""
    position = _position(criteria)
    named = {"game": criteria.game, "options": criteria.options, "moves": SEPARATOR.join(criteria.line)}
    address = url_for("openings.moves", **_filled(named))
    return OpeningBoard(scene_svg(position.draw(), 0), address)


def _position(criteria: Criteria) -> Position[Any]:
    return openings.after_moves(GAMES[criteria.game], _options(criteria), criteria.line)[1]


def _options(criteria: Criteria) -> Any:
    return read_options(GAMES[criteria.game].Options, options_from(criteria.options or ""))


@bp.get("/openings")
def listed() -> str:
    """List the games, each with a link to its openings."""
    return render_template("openings.html", intros=INTROS, key="")


@bp.get("/openings/<key>")
def show(key: str) -> str:
    """Show the board after some moves, and how finished games went on."""
    criteria = _criteria({"game": key, **{name: query_text(name, LONGEST_OPENING) for name in ("options", "moves")}})
    with reading() as db:
        known = known_moves(db, criteria)
    branches = tuple(branch_of(one, criteria) for one in known.moves) if len(criteria.line) < openings.PLIES else ()
    return render_template(
        "openings.html", key=key, criteria=criteria, board=board_of(criteria), branches=branches,
        sides=GAMES[key].seats, from_books=known.from_books, total=sum(one.total for one in known.moves),
        options=_main_options(GAMES[key]),
    )  # fmt: skip


def _main_options(game: Game) -> tuple[str, ...]:
    """Return the option words of a game's openings: none, and each option alone."""
    words = (f"{one.name}={value}" for one in choices_of(game.Options) for value in one.values if value != one.default)
    return "", *words


@bp.post("/openings/<key>")
def go_on(key: str) -> ResponseReturnValue:
    """Redirect to the opening with one more move; refuse an impossible one."""
    throttle.hit(throttle.ACT)
    fields = {
        "game": key,
        **{name: plain(request.form.get(name, ""), LONGEST_OPENING) for name in ("options", "moves")},
    }
    criteria = _criteria(fields)
    text = lines.asked_move().replace(";", " ")
    try:
        line, _position_after = openings.after_moves(GAMES[key], _options(criteria), (*criteria.line, text))
    except MoveError as error:
        return refusal(422, _("Not possible"), str(error))
    named = _filled({"options": criteria.options, "moves": SEPARATOR.join(line)})
    return redirect(url_for("openings.show", key=key, **named, _anchor="board"), 303)


@bp.get("/archive/opening/moves.json")
def moves() -> ResponseReturnValue:
    """Return the continuations in finished games as a touch tree."""
    throttle.hit(throttle.READ)
    criteria = _criteria({name: query_text(name, LONGEST_OPENING) for name in ("game", "options", "moves")})
    position, seat = _position(criteria), lines.seat_to_act(_position(criteria))
    if seat is None:
        return jsonify(lines.NOTHING)
    with reading() as db:
        known = known_moves(db, criteria).moves
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
