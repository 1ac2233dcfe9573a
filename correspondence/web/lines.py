"""A board to play a line of moves that is not stored: the line is in the URL.

Diagrams of the rules and openings of the archive can be played on this way. These boards have no hidden information,
so nothing is redacted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flask import jsonify
from flask.typing import ResponseReturnValue

from correspondence.render.viewer_game import Tree, check_move, marks_between, touch_faces, touch_labels, touch_tree
from correspondence.web.forms import move_field
from engines.base import CHANCE, MoveError, Position, Seat
from engines.scene import Scene
from engines.wording import _

LONGEST_LINE = 1_000
"""Maximum length of a line of moves, in characters."""

LONGEST_MOVE = 400
"""Maximum length of a move, in characters."""

MOST_MOVES = 60
"""Maximum number of moves in a line."""

SEPARATOR = "; "
"""The separator between the moves of a line."""

NOTHING: dict[str, Any] = {"tree": None, "labels": {}, "faces": {}}
"""The JSON answer if nothing can be touched."""


def moves_in(line: str) -> tuple[str, ...]:
    """Split a line into its moves, as typed."""
    return tuple(text.strip() for text in line.split(";") if text.strip())


def play_line(start: Position[Any], texts: Sequence[str]) -> tuple[tuple[str, ...], list[Position[Any]]]:
    """Play a line; return it in canonical notation with every position, including the start.

    With simultaneous choices the first seat goes first. Raises MoveError at the first impossible move.
    """
    if len(texts) > MOST_MOVES:
        raise MoveError(_("A line has at most {most} moves here.").format(most=MOST_MOVES))
    positions, written = [start], list[str]()
    for text in texts:
        position = positions[-1]
        if not position.to_act:
            raise MoveError(_("The game is over at that point."))
        seat = position.to_act[0]
        move = position.read(seat, text)
        written.append(position.write(seat, move))
        positions.append(position.play(seat, move))
    return tuple(written), positions


def seat_to_act(position: Position[Any]) -> Seat | None:
    """The seat that plays next on such a board; None if the game is over."""
    return position.to_act[0] if position.to_act else None


def marked(before: Scene, after: Scene) -> Scene:
    """Mark a scene where it differs from the previous one."""
    then = {cell.name: cell for row in before.rows for cell in row}
    changed = [cell.name for row in after.rows for cell in row if then.get(cell.name) != cell]
    return after.marked(*marks_between(before, after, sorted(changed)))


def asked_move(longest: int = LONGEST_MOVE) -> str:
    """The form's move, typed or picked from a list; at most `longest` characters."""
    return move_field(longest)


def verdict_on(position: Position[Any], longest: int = LONGEST_MOVE) -> ResponseReturnValue:
    """Preview the sent move as JSON for the board's script."""
    seat = seat_to_act(position)
    if seat is None:
        return jsonify(state="wrong", sentence=_("The game is over."))
    result = check_move(position, seat, asked_move(longest))
    return jsonify(state=result.state, complete=result.complete, sentence=result.explanation, text=result.text,
                   picture=result.picture, suggestions=result.suggestions)  # fmt: skip


def touches_of(position: Position[Any]) -> ResponseReturnValue:
    """Return every legal move as a touch tree in JSON; empty at a chance event."""
    seat = seat_to_act(position)
    if seat is None or seat == CHANCE:
        return jsonify(NOTHING)
    tree = touch_tree(position, seat)
    return jsonify(tree=tree or None, labels=touch_labels(position, seat), faces=touch_faces(position, seat))


def tree_of(position: Position[Any], moves: Iterable[tuple[Seat, Any]]) -> Tree:
    """Build a touch tree of only these moves."""
    tree: Tree = {}
    for seat, move in moves:
        *path, last = position.touches(seat, move)
        branch = tree
        for token in path:
            branch = branch.setdefault(token, {})
        branch[last] = position.write(seat, move)
    return tree
