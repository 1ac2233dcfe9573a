"""A board of one's own for any moment of a game: moves are tried there, kept as a tree, and shared afterwards."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.core.tokens import read as read_token
from correspondence.core.tokens import spell
from correspondence.models import Match, Person
from correspondence.play import analysis
from correspondence.play.analysis import AnalysisBoard
from correspondence.play.matches import MatchError
from correspondence.queries.view_models import GameView
from correspondence.render.viewer_game import (
    Group,
    check_move,
    grouped_moves,
    marks_between,
    scene_svg,
    touch_labels,
    touch_tree,
)
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import asked_for, number, written
from correspondence.web.play import LONGEST_MOVE
from engines.base import CHANCE, MoveError
from engines.wording import _

bp = Blueprint("analysis", __name__, url_prefix="/games/<number:match>")


@bp.get("/try")
def latest(match: int) -> ResponseReturnValue:
    """The board that begins where the game stands."""
    session.signed_in()
    return redirect(url_for("analysis.show", match=match, ply=games.found(match).card.ply), 302)


@bp.get("/<number:ply>/try")
def show(match: int, ply: int) -> ResponseReturnValue:
    """The member's own board: from the position after so many entries, and after the moves tried since."""
    return _page(match, ply, number(asked_for("at")))


@bp.post("/<number:ply>/try")
def add(match: int, ply: int) -> ResponseReturnValue:
    """A move is tried and kept; one that is not possible is answered with a sentence."""
    throttle.hit(throttle.ACT)
    member, runtime, at = session.signed_in(), current_runtime(), number(written("at", 12))
    text = written("pick", LONGEST_MOVE) or written("move", LONGEST_MOVE)
    try:
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            kept = analysis.try_move(acting, person, match, ply, at, text, now=runtime.now())
    except (MoveError, MatchError) as error:
        return _page(match, ply, at, refused=error, typed=text)
    return redirect(url_for("analysis.show", match=match, ply=ply, at=kept) + "#board", 303)


@bp.post("/<number:ply>/try/read")
def read(match: int, ply: int) -> ResponseReturnValue:
    """What a typed move would do on the member's own board, as JSON."""
    throttle.hit(throttle.READ)
    seen = _trial(match, ply, number(written("at", 12)))
    text = written("pick", LONGEST_MOVE) or written("move", LONGEST_MOVE)
    if isinstance(seen, str) or seen.seat is None:
        return jsonify(state="wrong", sentence=seen if isinstance(seen, str) else _("The game is over.")), 200
    judged = check_move(seen.position, seen.seat, text)
    return jsonify(state=judged.state, complete=judged.complete, sentence=judged.explanation, text=judged.text,
                   picture=judged.picture, suggestions=judged.suggestions)  # fmt: skip


@bp.get("/<number:ply>/try/moves.json")
def moves(match: int, ply: int) -> ResponseReturnValue:
    """Every move that can be tried, as a tree of touches."""
    throttle.hit(throttle.READ)
    seen = _trial(match, ply, number(asked_for("at")))
    if isinstance(seen, str) or seen.seat in (None, CHANCE):
        return jsonify(tree=None, labels={})
    tree, labels = touch_tree(seen.position, seen.seat), touch_labels(seen.position, seen.seat)
    return jsonify(tree=tree or None, labels=labels)


@bp.post("/<number:ply>/try/drop")
def drop(match: int, ply: int) -> ResponseReturnValue:
    """A tried move and all after it are forgotten."""

    def forget(acting: Session, person: Person) -> str:
        before = analysis.drop(acting, person, match, number(written("at", 12)) or 0)
        return url_for("analysis.show", match=match, ply=ply, at=before)

    return _act(match, ply, forget)


@bp.post("/try/share")
def share(match: int) -> ResponseReturnValue:
    """Whoever has the link may see what the member tried, when the game is over."""
    runtime = current_runtime()

    def open_up(acting: Session, person: Person) -> str:
        token = analysis.share(acting, person, match, now=runtime.now())
        return url_for(
            "analysis.shared", match=match, token=spell(runtime.settings.secret_key, token.id), ply=_ply(match)
        )

    return _act(match, _ply(match), open_up)


@bp.post("/try/unshare")
def unshare(match: int) -> ResponseReturnValue:
    """The link no longer works."""
    runtime = current_runtime()

    def close(acting: Session, person: Person) -> str:
        analysis.stop_sharing(acting, person, match, now=runtime.now())
        flash(_("The link no longer works."))
        return url_for("analysis.show", match=match, ply=_ply(match))

    return _act(match, _ply(match), close)


@bp.get("/try/<token>")
def shared(match: int, token: str) -> ResponseReturnValue:
    """What a member tried and shares, to look at."""
    runtime = current_runtime()
    with reading() as looking:
        owner = analysis.owner_of(looking, read_token(runtime.settings.secret_key, token), match)
        ply, at = number(asked_for("ply")), number(asked_for("at"))
        seen = (
            analysis.analysis_board(looking, match, session.visitor_id(), ply or 0, at, of=owner.id) if owner else None
        )
        handle = owner.handle if owner else ""
    if seen is None:
        abort(404)
    return _rendered(match, seen, owner=handle, token=token)


def _act(match: int, ply: int, use_case: Any) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    member = session.signed_in()
    try:
        with transaction(current_runtime().engine) as acting:
            if acting.get(Match, match) is None:
                abort(404)
            back = use_case(acting, acting.get_one(Person, member.id))
    except MatchError as error:
        return _page(match, ply, None, refused=error)
    return redirect(back, 303)


def _ply(match: int) -> int:
    """The moment that the form belongs to; the present where it says none."""
    asked = number(written("ply", 12))
    return games.found(match).card.ply if asked is None else asked


def _trial(match: int, ply: int, at: int | None) -> AnalysisBoard | str:
    """The member's board, or the sentence why there is none for this game."""
    member = session.signed_in()
    try:
        with reading() as looking:
            seen = analysis.analysis_board(looking, match, member.id, ply, at)
    except MatchError as error:
        return str(error)
    if seen is None:
        abort(404)
    return seen


def _page(
    match: int, ply: int, at: int | None, *, refused: Exception | None = None, typed: str = ""
) -> ResponseReturnValue:
    seen = _trial(match, ply, at)
    if isinstance(seen, str):
        return refusal(403, _("No analysis board here"), seen)
    page = _rendered(match, seen, refused=refused, typed=typed)
    return (page, 422) if refused else page


def _rendered(
    match: int,
    seen: AnalysisBoard,
    *,
    owner: str = "",
    token: str = "",
    refused: Exception | None = None,
    typed: str = "",
) -> str:
    runtime, table = current_runtime(), games.found(match, seen.ply)
    scene = seen.position.scene(seen.viewer) if not table.card.is_over else seen.position.draw()
    if seen.before is not None:
        then = seen.before.draw() if table.card.is_over else seen.before.scene(seen.viewer)
        squares = {cell.name for row in scene.rows for cell in row}
        changed = [name for name in squares if _at(then, name) != _at(scene, name)]
        scene = scene.marked(*marks_between(then, scene, sorted(changed)))
    link = ""
    if not owner and (member := session.visitor()) is not None:
        with reading() as looking:
            row = analysis.share_token(looking, member.id, match)
        link = spell(runtime.settings.secret_key, row.id) if row else ""
    return render_template(
        "try.html", card=table.card, trial=seen, scene=scene, picture=scene_svg(scene, table.card.viewer), owner=owner,
        token_of=token, link=link, moves=() if owner else _moves(seen),
        can_plan=not owner and _can_plan(seen, table),
        refused=str(refused or ""), suggestions=getattr(refused, "suggestions", ()), typed=typed,
        seats={CHANCE: _("Lots"), **{one.seat: one.seat_name for one in table.card.sitters}},
    )  # fmt: skip


def _can_plan(seen: AnalysisBoard, table: GameView) -> bool:
    """Whether the line tried so far can be planned: the opponent's move first, and one's own last."""
    mine = table.card.viewer
    if mine is None or not table.card.others or table.card.is_over or table.card.my_turn or seen.ply != table.card.ply:
        return False
    turns = [branch.seat == mine for branch in seen.line]
    return bool(turns) and not seen.broken and turns == [False, True] * (len(turns) // 2)


def _at(scene: Any, name: str) -> Any:
    return next(cell for row in scene.rows for cell in row if cell.name == name)


def _moves(seen: AnalysisBoard) -> tuple[Group, ...]:
    """The moves that can be tried, a list of what lots can show where it is short."""
    return () if seen.seat is None else grouped_moves(seen.position, seen.seat, games.MOVES_LISTED)
