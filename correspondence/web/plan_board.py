"""Record a plan by touch: the opponent's move, then one's own, branch by branch.

The plan is saved as text. Until then every step posts the whole draft and changes nothing, so the draft is in no URL,
log or database (conditional.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.models import Match, Player
from correspondence.models.loading import MatchError
from correspondence.play.conditional import branches, drafts, plan_commands, syntax
from correspondence.play.conditional.drafts import PlanDraft
from correspondence.play.conditional.syntax import PlanError
from correspondence.queries.queries import player_of
from correspondence.render.viewer_game import (
    check_move,
    foreseen_touches,
    marks_between,
    scene_svg,
    some_moves,
    touch_faces,
    touch_labels,
)
from correspondence.web import games, session, throttle
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import form_text, move_field, number
from correspondence.web.play import LONGEST_MOVE
from engines.base import MoveError, Position
from engines.wording import _

bp = Blueprint("plan_board", __name__)

LONGEST_PATH = syntax.DEEPEST * (LONGEST_MOVE + 1)
"""Maximum length of the moves that lead to a place in a line, in characters."""


@bp.get("/games/<number:match>/plan/board")
def show(match: int) -> ResponseReturnValue:
    """Show the board at the current position, with the lines of the plan that can still occur."""
    with reading() as db:
        view, player = _base(db, match)
        if isinstance(view, MatchError):
            return _back(match, view)
        text = plan_commands.plan_view(db, player).text
    try:
        lines = branches.sorted_branches(view, player.seat, text)[0] if text else ()
    except PlanError:
        lines = ()
    return _page(match, drafts.draft(view, player.seat, "\n".join(map(syntax.line_text, lines)), ()))


@bp.post("/games/<number:match>/plan/board")
def step(match: int) -> ResponseReturnValue:
    """Show the draft after one more move, at another place, or without a line.

    A refusal leaves the draft unchanged.
    """
    throttle.hit(throttle.READ)
    text, path = form_text("lines", syntax.LONGEST + 1), _moves(form_text("path", LONGEST_PATH))
    move = move_field(LONGEST_MOVE)
    goal, dropped = form_text("to", LONGEST_PATH), number(form_text("drop", 4))
    with reading() as db:
        view, player = _base(db, match)
    if isinstance(view, MatchError):
        return refusal(409, _("That cannot be done"), str(view))
    try:
        if dropped is not None:
            return _page(match, drafts.without(view, player.seat, text, dropped))
        if goal:
            return _page(match, drafts.draft(view, player.seat, text, _moves(goal.removeprefix("start"))))
        return _page(match, drafts.draft(view, player.seat, text, path, move))
    except (MatchError, MoveError) as error:
        return _refused(match, view, player, text, path, error, move)


@bp.post("/games/<number:match>/plan/board/read")
def read(match: int) -> ResponseReturnValue:
    """Preview a typed move at this place of the draft, as JSON."""
    throttle.hit(throttle.READ)
    path, text = _moves(form_text("path", LONGEST_PATH)), move_field(LONGEST_MOVE)
    with reading() as db:
        view, player = _base(db, match)
    try:
        if isinstance(view, MatchError):
            raise view
        there = drafts.draft(view, player.seat, "", path)
        after = drafts.draft(view, player.seat, "", path, text) if text else there
    except (MatchError, MoveError) as error:
        return {"state": "wrong", "sentence": str(error), "suggestions": list(getattr(error, "suggestions", ()))[:12]}
    seat = there.to_move
    if text and there.is_mine and seat is not None:
        result = check_move(there.view, seat, text)
        return {"state": result.state, "sentence": result.explanation, "suggestions": list(result.suggestions)}
    return {"state": "good", "sentence": _("{move} can be planned.").format(move=after.path[-1] if text else ""),
            "suggestions": []}  # fmt: skip


def _base(db: Session, match: int) -> tuple[Position[Any] | MatchError, Player]:
    """The current position as the member sees it, or the reason that no plan can be recorded.

    Aborts with 404 or 403 if the visitor does not play in the game.
    """
    player = player_of(db, match, session.require_member().id)
    if player is None:
        abort(404 if db.get(Match, match) is None else 403)
    try:
        return drafts.base(db, db.get_one(Match, match), player), player
    except MatchError as error:
        return error, player


def _back(match: int, error: MatchError) -> ResponseReturnValue:
    flash(str(error))
    return redirect(url_for("games.show", number=match), 303)


def _moves(text: str) -> tuple[str, ...]:
    return tuple(move.strip() for move in text.split(";") if move.strip())


def _refused(
    match: int, view: Position[Any], player: Player, text: str, path: tuple[str, ...], error: Exception, typed: str
) -> ResponseReturnValue:
    """Show the page with the error; if the draft cannot be read, start with an empty one."""
    try:
        kept = drafts.draft(view, player.seat, text, path)
    except (MatchError, MoveError):
        kept = drafts.draft(view, player.seat, "", ())
    return _page(match, kept, refused=error, typed=typed), 422


def _page(match: int, draft: PlanDraft, *, refused: Exception | None = None, typed: str = "") -> str:
    game = games.game_or_404(match)
    with reading() as db:
        takebacks = db.get_one(Match, match).takebacks
    scene = draft.view.scene(draft.seat)
    if draft.before is not None:
        before = draft.before.scene(draft.seat)
        were = {cell.name: cell for row in before.rows for cell in row}
        changed = [cell.name for row in scene.rows for cell in row if were.get(cell.name) != cell]
        scene = scene.marked(*marks_between(before, scene, sorted(changed)))
    return render_template(
        "plan_board.html",
        card=game.card,
        takebacks=takebacks,
        draft=draft,
        scene=scene,
        picture=scene_svg(scene, draft.seat),
        opponent=next(player.handle for player in game.card.players if player.seat != draft.seat),
        touches=_touches(draft),
        example=_example(draft),
        lines=[_shown(line, draft) for line in draft.lines],
        refused=str(refused or ""),
        suggestions=getattr(refused, "suggestions", ())[:12],
        typed=typed,
    )


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A move of a line; `word` is `if` or `then`, `path` the moves up to and including it.

    `is_here` means that the board shows the position after it.
    """

    word: str
    move: str
    path: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A recorded line, as text and move by move."""

    text: str
    steps: tuple[PlanStep, ...]


def _shown(line: syntax.Line, draft: PlanDraft) -> ShownLine:
    moves = [move for pair in line for move in pair]
    paths = [tuple(moves[: count + 1]) for count in range(len(moves))]
    steps = (
        PlanStep(("if", "then")[count % 2], moves[count], "; ".join(path), path == draft.path)
        for count, path in enumerate(paths)
    )
    return ShownLine(syntax.line_text(line), tuple(steps))


def _touches(draft: PlanDraft) -> str:
    """The touch tree of the possible next moves, as JSON for the board's script."""
    if draft.to_move is None:
        return json.dumps({"tree": None, "labels": {}, "faces": {}})
    labels, faces = touch_labels(draft.view, draft.to_move), touch_faces(draft.view, draft.to_move)
    return json.dumps({"tree": foreseen_touches(draft.view, draft.to_move) or None, "labels": labels, "faces": faces})


def _example(draft: PlanDraft) -> str:
    return "" if draft.to_move is None else next(iter(some_moves(draft.view, draft.to_move, 1)), "")
