"""Playing on from a diagram of the rules: open to everybody, checked by the engine."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.render.viewer_game import grouped_moves, scene_for, scene_svg
from correspondence.rulebook.chapters import CHAPTERS, Diagram
from correspondence.rulebook.drawing import drawn
from correspondence.rulebook.examples import position_at
from correspondence.web import lines, throttle
from correspondence.web.forms import form_text, query_text
from correspondence.web.lines import LONGEST_LINE, SEPARATOR
from correspondence.web.locale import language
from engines import GAMES
from engines.base import CHANCE, MoveError, Position
from engines.scene import Scene
from engines.wording import _

bp = Blueprint("tryout", __name__)

MOVES_LISTED = 240
"""Maximum number of legal moves listed."""

HINTED = 3
"""Number of suggested moves of a diagram, both of legal and of illegal ones."""


def can_try(key: str, diagram: Diagram) -> bool:
    """Whether a seat or chance is to move in the position of a diagram."""
    return bool(position_at(key, diagram.moment).to_act)


@bp.get("/rules/<key>/<name>/try")
def show(key: str, name: str) -> ResponseReturnValue:
    """Show the position of a diagram after the line of moves in the URL."""
    diagram, line = _diagram(key, name), query_text("moves", LONGEST_LINE)
    try:
        written, positions = lines.play_line(position_at(key, diagram.moment), lines.moves_in(line))
    except MoveError as error:
        return _page(key, diagram, (), [position_at(key, diagram.moment)], refused=error), 422
    return _page(key, diagram, written, positions)


@bp.post("/rules/<key>/<name>/try")
def play(key: str, name: str) -> ResponseReturnValue:
    """Play a move, without storing it; refuse an impossible one with the engine's sentence."""
    throttle.hit(throttle.ACT)
    diagram, text = _diagram(key, name), lines.asked_move()
    written, positions = _line_of_form(key, diagram)
    try:
        further, _positions = lines.play_line(positions[-1], (text,))
        line = SEPARATOR.join((*written, *further))
        lines.play_line(position_at(key, diagram.moment), lines.moves_in(line))
    except MoveError as error:
        return _page(key, diagram, written, positions, refused=error, typed=text), 422
    return redirect(url_for("tryout.show", key=key, name=name, moves=line, _anchor="board"), 303)


@bp.post("/rules/<key>/<name>/try/read")
def read(key: str, name: str) -> ResponseReturnValue:
    """Preview a move, as JSON."""
    throttle.hit(throttle.READ)
    return lines.verdict_on(_line_of_form(key, _diagram(key, name))[1][-1])


@bp.get("/rules/<key>/<name>/try/moves.json")
def moves(key: str, name: str) -> ResponseReturnValue:
    """Return every legal move as a touch tree."""
    throttle.hit(throttle.READ)
    diagram = _diagram(key, name)
    try:
        line = lines.moves_in(query_text("moves", LONGEST_LINE))
        return lines.touches_of(lines.play_line(position_at(key, diagram.moment), line)[1][-1])
    except MoveError:
        abort(404)


def _diagram(key: str, name: str) -> Diagram:
    diagram = CHAPTERS[key].diagram(name) if key in CHAPTERS else None
    if diagram is None or drawn(key, diagram, language()) is None:
        abort(404)
    return diagram


def _line_of_form(key: str, diagram: Diagram) -> tuple[tuple[str, ...], list[Position[Any]]]:
    """The line of the form and its positions; only the start if the line is impossible."""
    start = position_at(key, diagram.moment)
    try:
        return lines.play_line(start, lines.moves_in(form_text("moves", LONGEST_LINE)))
    except MoveError:
        return (), [start]


def _page(
    key: str,
    diagram: Diagram,
    written: tuple[str, ...],
    positions: list[Position[Any]],
    *,
    refused: Exception | None = None,
    typed: str = "",
) -> str:
    position, scene = positions[-1], _scene(positions[-1], diagram)
    if len(positions) > 1:
        scene = lines.marked(_scene(positions[-2], diagram), scene)
    seat, game = lines.seat_to_act(position), GAMES[key]
    names = {CHANCE: _(game.presentation.chance), **{at: _(name) for at, name in enumerate(game.seats)}}
    return render_template(
        "tryout.html", game=game, diagram=diagram, line=written, scene=scene, picture=scene_svg(scene, 0),
        mover=None if seat is None else names[seat], is_chance=seat == CHANCE,
        groups=() if seat is None else grouped_moves(position, seat, MOVES_LISTED), separator=SEPARATOR,
        hints=() if written else (*diagram.allows[:HINTED], *diagram.refuses[:HINTED]),
        refused=str(refused or ""), suggestions=getattr(refused, "suggestions", ()), typed=typed,
    )  # fmt: skip


def _scene(position: Position[Any], diagram: Diagram) -> Scene:
    return position.draw() if diagram.eyes == "all" else scene_for(position, diagram.eyes, opened=False)
