"""The analysis board: a member tries moves from any position of a game and may share them.

The moves of a member are stored as a tree. Visitors who are not signed in can try moves of finished games; their moves
are in the URL (guest_analysis.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.archive.analysis_text import analysis_text
from correspondence.core.db import transaction
from correspondence.core.tokens import read as read_token
from correspondence.core.tokens import spell
from correspondence.models import Match, Person
from correspondence.play import analysis, guest_analysis
from correspondence.play.analysis import AnalysisBoard
from correspondence.play.matches import MatchError
from correspondence.queries.view_models import GameView
from correspondence.render.viewer_game import (
    Group,
    check_move,
    grouped_moves,
    marks_between,
    scene_svg,
    touch_faces,
    touch_labels,
    touch_tree,
)
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import form_text, move_field, number, plain, query_text
from correspondence.web.panels import board_panels, notes_at
from correspondence.web.play import LONGEST_MOVE
from engines import GAMES
from engines.base import CHANCE
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("analysis", __name__)


@bp.get("/games/<number:match>/try")
def latest(match: int) -> ResponseReturnValue:
    """Redirect to the analysis board of the current position."""
    card = games.game_or_404(match).card
    if not card.is_over:
        session.require_member()
    return redirect(url_for("analysis.show", match=match, ply=card.ply), 302)


@bp.get("/games/<number:match>/<number:ply>/try")
def show(match: int, ply: int) -> ResponseReturnValue:
    """Show the visitor's analysis board after `ply` entries, or after a tried move."""
    throttle.hit(throttle.READ)
    return page(match, ply, number(query_text("at")))


@bp.post("/games/<number:match>/<number:ply>/try")
def add(match: int, ply: int) -> ResponseReturnValue:
    """Try a move and store it; refuse an impossible move with a sentence."""
    throttle.hit(throttle.ACT)
    at, text = number(form_text("at", 12)), move_field(LONGEST_MOVE)
    if _is_guest(match):
        return _as_guest(match, ply, at, lambda db: guest_analysis.with_move(db, match, ply, _tried(), at, text), text)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            node = analysis.try_move(db, person, match, ply, at, text, now=runtime.now())
    except Refusal as error:
        return page(match, ply, at, refused=error, typed=text)
    return redirect(url_for("analysis.show", match=match, ply=ply, at=node) + "#board", 303)


@bp.post("/games/<number:match>/<number:ply>/try/read")
def read(match: int, ply: int) -> ResponseReturnValue:
    """Preview a typed move on the member's analysis board, as JSON."""
    throttle.hit(throttle.READ)
    board = _board(match, ply, number(form_text("at", 12)))
    text = move_field(LONGEST_MOVE)
    if isinstance(board, str) or board.seat is None:
        return jsonify(state="wrong", sentence=board if isinstance(board, str) else _("The game is over.")), 200
    result = check_move(board.position, board.seat, text)
    return jsonify(state=result.state, complete=result.complete, sentence=result.explanation, text=result.text,
                   picture=result.picture, suggestions=result.suggestions)  # fmt: skip


@bp.get("/games/<number:match>/<number:ply>/try/moves.json")
def moves(match: int, ply: int) -> ResponseReturnValue:
    """Return every move that can be tried, as a touch tree."""
    throttle.hit(throttle.READ)
    board = _board(match, ply, number(query_text("at")))
    if isinstance(board, str) or board.seat in (None, CHANCE):
        return jsonify(tree=None, labels={}, faces={})
    tree, labels = touch_tree(board.position, board.seat), touch_labels(board.position, board.seat)
    return jsonify(tree=tree or None, labels=labels, faces=touch_faces(board.position, board.seat))


@bp.post("/games/<number:match>/<number:ply>/try/drop")
def drop(match: int, ply: int) -> ResponseReturnValue:
    """Delete a tried move and all moves after it."""
    if _is_guest(match):
        throttle.hit(throttle.ACT)
        at = number(form_text("at", 12))
        return _as_guest(match, ply, at, lambda db: guest_analysis.without_move(db, match, ply, _tried(), at))

    def drop_node(db: Session, person: Person) -> str:
        parent = analysis.drop(db, person, match, number(form_text("at", 12)) or 0)
        return url_for("analysis.show", match=match, ply=ply, at=parent)

    return _act(match, ply, drop_node)


@bp.post("/games/<number:match>/<number:ply>/try/comment")
def comment(match: int, ply: int) -> ResponseReturnValue:
    """Store the member's comment on a tried move; a refusal keeps what was typed."""
    throttle.hit(throttle.ACT)
    member, at = session.require_member(), number(form_text("at", 12))
    text = form_text("comment", 2 * analysis.LONGEST_COMMENT)
    try:
        with transaction(current_runtime().engine) as db:
            if db.get(Match, match) is None:
                abort(404)
            analysis.comment(db, db.get_one(Person, member.id), match, at or 0, text)
    except MatchError as error:
        return page(match, ply, at if _is_tried(match, member.id, ply, at) else None, refused=error, comment=text)
    return redirect(url_for("analysis.show", match=match, ply=ply, at=at) + "#board", 303)


def _is_tried(match: int, member_id: int, ply: int, at: int | None) -> bool:
    """Whether the member has a tried move `at`."""
    try:
        with reading() as db:
            return analysis.analysis_board(db, match, member_id, ply, at) is not None
    except MatchError:
        return False


@bp.get("/games/<number:match>/<number:ply>/try.txt")
def export(match: int, ply: int) -> ResponseReturnValue:
    """Return the visitor's own analysis as text, with its comments."""
    throttle.hit(throttle.READ)
    board = _board(match, ply, None)
    if isinstance(board, str):
        return refusal(403, _("No analysis board here"), board)
    return _as_text(match, board)


@bp.get("/games/<number:match>/try/<token>.txt")
def export_shared(match: int, token: str) -> ResponseReturnValue:
    """Return the shared analysis of a member as text, with its comments."""
    throttle.hit(throttle.READ)
    return _as_text(match, _shared(match, token)[0])


def _as_text(match: int, board: AnalysisBoard) -> Response:
    game = games.game_or_404(match, board.ply)
    names = [player.handle for player in game.card.players]
    text = analysis_text(game.viewer_game, board, names, opened=game.card.is_over)
    response = Response(text, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="game-{match}-analysis.txt"'
    return response


@bp.post("/games/<number:match>/try/share")
def share(match: int) -> ResponseReturnValue:
    """Create a link that shows the member's analysis to anyone, once the game is over."""
    runtime = current_runtime()

    def create_link(db: Session, person: Person) -> str:
        token = analysis.share(db, person, match, now=runtime.now())
        return url_for(
            "analysis.shared", match=match, token=spell(runtime.settings.secret_key, token.id), ply=_ply(match)
        )

    return _act(match, _ply(match), create_link)


@bp.post("/games/<number:match>/try/unshare")
def unshare(match: int) -> ResponseReturnValue:
    """Revoke the link."""
    runtime = current_runtime()

    def revoke_link(db: Session, person: Person) -> str:
        analysis.stop_sharing(db, person, match, now=runtime.now())
        flash(_("The link no longer works."))
        return url_for("analysis.show", match=match, ply=_ply(match))

    return _act(match, _ply(match), revoke_link)


@bp.get("/games/<number:match>/try/<token>")
def shared(match: int, token: str) -> ResponseReturnValue:
    """Show the shared analysis of a member, read-only."""
    board, owner = _shared(match, token)
    return _rendered(match, board, owner=owner, token=token)


def _shared(match: int, token: str) -> tuple[AnalysisBoard, Person]:
    """Return the board that a token shares, at the place of the query, and its owner; else 404."""
    with reading() as db:
        owner = analysis.owner_of(db, read_token(current_runtime().settings.secret_key, token), match)
        ply, at = number(query_text("ply")), number(query_text("at"))
        board = analysis.analysis_board(db, match, session.visitor_id(), ply or 0, at, of=owner.id) if owner else None
    if board is None or owner is None:
        abort(404)
    return board, owner


def _act(match: int, ply: int, use_case: Any) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    member = session.require_member()
    try:
        with transaction(current_runtime().engine) as db:
            if db.get(Match, match) is None:
                abort(404)
            next_page = use_case(db, db.get_one(Person, member.id))
    except MatchError as error:
        return page(match, ply, None, refused=error)
    return redirect(next_page, 303)


def _ply(match: int) -> int:
    """The ply of the form; the current one if it names none."""
    ply = number(form_text("ply", 12))
    return games.game_or_404(match).card.ply if ply is None else ply


def _board(match: int, ply: int, at: int | None) -> AnalysisBoard | str:
    """The visitor's analysis board, or a sentence if there is none for this game."""
    is_guest = _is_guest(match)
    try:
        with reading() as db:
            if is_guest:
                board = guest_analysis.board(db, match, ply, _tried(), at)
            else:
                board = analysis.analysis_board(db, match, session.require_member().id, ply, at)
    except MatchError as error:
        return str(error)
    if board is None:
        abort(404)
    return board


def _is_guest(match: int) -> bool:
    """Whether the visitor is signed out and the game is over; 404 if there is no such game."""
    return session.visitor() is None and games.game_or_404(match).card.is_over


def _tried() -> str:
    """The moves that a guest has tried, from the URL or the form."""
    return plain(request.values.get("tried", ""), guest_analysis.LONGEST + 1)


def _as_guest(
    match: int, ply: int, at: int | None, change: Callable[[Session], tuple[str, int | None]], typed: str = ""
) -> ResponseReturnValue:
    """Change a guest's tried moves and redirect to the URL that holds them."""
    try:
        with reading() as db:
            tried, node = change(db)
    except Refusal as error:
        return page(match, ply, at, refused=error, typed=typed)
    return redirect(url_for("analysis.show", match=match, ply=ply, tried=tried or None, at=node) + "#board", 303)


def page(
    match: int,
    ply: int,
    at: int | None,
    *,
    refused: Exception | None = None,
    typed: str = "",
    comment: str | None = None,
) -> ResponseReturnValue:
    """Render the visitor's analysis board; with status 422 and what was typed if something was refused."""
    board = _board(match, ply, at)
    if isinstance(board, str):
        return refusal(403, _("No analysis board here"), board)
    rendered = _rendered(match, board, refused=refused, typed=typed, comment=comment)
    return (rendered, 422) if refused else rendered


def _rendered(
    match: int,
    board: AnalysisBoard,
    *,
    owner: Person | None = None,
    token: str = "",
    refused: Exception | None = None,
    typed: str = "",
    comment: str | None = None,
) -> str:
    runtime, game, member = current_runtime(), games.game_or_404(match, board.ply), session.visitor()
    scene = board.position.scene(board.viewer) if not game.card.is_over else board.position.draw()
    if board.before is not None:
        before = board.before.draw() if game.card.is_over else board.before.scene(board.viewer)
        squares = {cell.name for row in scene.rows for cell in row}
        changed = [name for name in squares if _cell(before, name) != _cell(scene, name)]
        scene = scene.marked(*marks_between(before, scene, sorted(changed)))
    link, owner_id = "", owner.id if owner is not None else member.id if member is not None else None
    with reading() as db:
        panels = board_panels(db, db.get_one(Match, match), board, owner_id) if game.card.is_over else ()
        row = analysis.share_token(db, member.id, match) if owner is None and member is not None else None
        link = spell(runtime.settings.secret_key, row.id) if row else ""
    chance = _(GAMES[game.card.key].presentation.chance)
    seats = {CHANCE: chance, **{player.seat: player.seat_name for player in game.card.players}}
    return render_template(
        "try.html", card=game.card, analysis=board, scene=scene, picture=scene_svg(scene, game.card.viewer),
        owner=owner.handle if owner else "", panels=panels,
        token_of=token, link=link, moves=() if owner else _moves(board),
        tried="" if owner or member is not None else _tried(), can_plan=not owner and _can_plan(board, game),
        refused=str(refused or ""), suggestions=getattr(refused, "suggestions", ()), typed=typed,
        comment_text=board.comment if comment is None else comment, most_said=analysis.LONGEST_COMMENT,
        seats=seats, panel_notes=_notes(match, board) if game.card.is_over else (),
    )  # fmt: skip


def _notes(match: int, board: AnalysisBoard) -> tuple[str, ...]:
    """Return what features say about a position of the game; nothing about tried moves."""
    with reading() as db:
        return () if board.line else notes_at(db, db.get_one(Match, match), board.ply)


def _can_plan(board: AnalysisBoard, game: GameView) -> bool:
    """Whether the tried line can become a plan.

    The opponent must move first and the member last, strictly alternating.
    """
    own_seat = game.card.viewer
    if own_seat is None or not game.card.others or game.card.is_over or game.card.my_turn or board.ply != game.card.ply:
        return False
    turns = [branch.seat == own_seat for branch in board.line]
    return bool(turns) and not board.broken and turns == [False, True] * (len(turns) // 2)


def _cell(scene: Any, name: str) -> Any:
    return next(cell for row in scene.rows for cell in row if cell.name == name)


def _moves(board: AnalysisBoard) -> tuple[Group, ...]:
    """The moves that can be tried; at a chance event, the possible outcomes if they are few."""
    return () if board.seat is None else grouped_moves(board.position, board.seat, games.MOVES_LISTED)
