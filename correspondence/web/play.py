"""Playing a game: moves, previews, draw offers, resignation, and JSON for open pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import By, Match, OfferKind, Player
from correspondence.play import hints, matches, offers, unseen
from correspondence.play.conditional import syntax
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.standing_offers import Seen
from correspondence.play.talk_guard import DisclosureError, DoubtfulTextError
from correspondence.queries.page_versions import page_state
from correspondence.queries.queries import acting_position, next_game, player_of
from correspondence.render.viewer_game import MoveCheck, check_move, touch_faces, touch_labels, touch_tree
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, move_field, number, query_text
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("play", __name__)

LONGEST_MOVE = 400
"""Maximum length of a typed move, in characters."""


@bp.post("/games/<number:match>/move")
def move(match: int) -> ResponseReturnValue:
    """Play a move; refuse an illegal one with a sentence, and keep all input.

    Members with `confirm_moves` first see the position after the move and confirm it. If the form asks for conditional
    moves, the member is redirected to the board that records them.
    """
    throttle.hit(throttle.ACT)
    text, comment, ply = move_field(LONGEST_MOVE), form_text("comment", matches.TALK_LIMIT), _ply()
    runtime, plan = current_runtime(), form_text("plan", syntax.LONGEST + 1)
    then = form_text("then", 20).split()
    is_confirmed = is_ticked("confirmed") or "confirmed" in then
    if session.require_member().confirm_moves and not is_confirmed and _verdict(match, text).state == "good":
        return _previewed(match, _verdict(match, text), text)
    try:
        with transaction(runtime.engine) as db:
            outcome = matches.make_move(
                db, own_player(db, match), text, now=runtime.now(), by=By.WEB,
                comment=comment, ply=ply, takebacks=number(form_text("takebacks", 12)), plan=plan, is_meant=is_ticked("meant"),
            )  # fmt: skip
    except Refusal as error:
        return _refused(match, error, move=text, comment=comment, plan=plan)
    message = _("You played {move}.").format(move=outcome.entries[0].text)
    following = _following(match) if "plan" not in then else None
    if outcome.unplanned is not None:
        return games.page(games.game_or_404(match), refused=f"{message} {outcome.unplanned}", typed={"lines": plan})
    if following is not None:
        message = _("You played {move} in game {number}; this is your next game.").format(
            move=outcome.entries[0].text, number=match
        )
    flash(message)
    next_page = url_for("games.show", number=following or match)
    return redirect(url_for("plan_board.show", match=match) if "plan" in then else next_page, 303)


def _following(match: int) -> int | None:
    """The next game that waits for a member who wants to step on after a move."""
    member = session.require_member()
    if not member.steps_on:
        return None
    with reading() as db:
        return next_game(db, member.id, except_id=match)


@bp.post("/games/<number:match>/read")
def read(match: int) -> ResponseReturnValue:
    """Preview a typed move without playing it: JSON for the page's script, else a page.

    `complete` is -1 if the move is unfinished, 0 if it can be played or continued, 1 if it is finished.
    """
    throttle.hit(throttle.READ)
    text = move_field(LONGEST_MOVE)
    result = _verdict(match, text)
    if request.accept_mimetypes.best == "application/json":
        return jsonify(
            state=result.state, complete=result.complete, sentence=result.explanation, text=result.text,
            picture=result.picture, suggestions=result.suggestions,
        )  # fmt: skip
    return _previewed(match, result, text)


def _previewed(match: int, result: MoveCheck, text: str) -> str:
    typed = {"move": result.text or text, "comment": form_text("comment", matches.TALK_LIMIT)}
    typed["plan"] = form_text("plan", syntax.LONGEST + 1)
    return games.page(games.game_or_404(match), verdict=result, typed=typed)


def _verdict(match: int, text: str) -> MoveCheck:
    with reading() as db:
        turn = acting_position(db, match, session.require_member().id)
    if turn is None:
        return MoveCheck("wrong", _("It is not your turn in this game."))
    if turn.ply != _ply() or number(form_text("takebacks", 12)) not in (None, turn.takebacks):
        return MoveCheck("wrong", _("The game has gone on since this page was loaded; please load it again."))
    return check_move(turn.position, turn.seat, text, bottom=_bottom())


def _bottom() -> int | None:
    """The seat at the bottom of the board, as the page's script reports it; None by default."""
    return {"0": 0, "1": 1}.get(form_text("bottom", 1))


@bp.get("/games/<number:match>/moves.json")
def moves(match: int) -> ResponseReturnValue:
    """Return the legal moves of the player to move as a touch tree; 409 for other visitors."""
    with reading() as db:
        turn = acting_position(db, match, session.visitor_id())
    ply, takebacks = number(query_text("ply")), number(query_text("takebacks"))
    if turn is None or turn.ply != ply or takebacks not in (None, turn.takebacks):
        return jsonify(ply=None, tree=None, labels={}), 409
    tree = touch_tree(turn.position, turn.seat)
    labels, faces = touch_labels(turn.position, turn.seat), touch_faces(turn.position, turn.seat)
    return jsonify(ply=turn.ply, tree=tree, labels=labels, faces=faces)


@bp.get("/games/<number:match>/ply.json")
def ply(match: int) -> ResponseReturnValue:
    """Return the current ply for polling pages; 304 while the page would look the same."""
    throttle.hit(throttle.WATCH)
    with reading() as db:
        state = page_state(db, match, session.visitor_id(), now=current_runtime().now())
    if state is None:
        abort(404)
    response = jsonify(ply=state.ply, takebacks=state.takebacks, over=state.is_over, pulse=state.version)
    response.set_etag(state.version)
    return response.make_conditional(request)


@bp.post("/games/<number:match>/seen")
def seen(match: int) -> ResponseReturnValue:
    """Store how far the member has seen the game; later moves and remarks are marked as new."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        player = own_player(db, match)
        unseen.mark_seen(
            db, player, _ply(), takebacks=number(form_text("takebacks", 12)),
            remark=number(form_text("remark", 12)) or 0, now=runtime.now(),
        )  # fmt: skip
    if request.accept_mimetypes.best == "application/json":
        return Response(status=204)
    return redirect(url_for("games.show", number=match), 303)


@bp.post("/games/<number:match>/draw")
def draw(match: int) -> ResponseReturnValue:
    """Offer a draw, or accept the open offer."""
    drawn = _("The game is drawn.")
    offered = _("You have offered a draw; your opponent has been told.")
    return act(match, partial(matches.offer_draw, seen=seen_moment()), lambda is_over: drawn if is_over else offered)


@bp.post("/games/<number:match>/decline")
def decline(match: int) -> ResponseReturnValue:
    """Decline the opponent's draw offer."""
    decline = partial(offers.decline, kind=OfferKind.DRAW, seen=seen_moment())
    return act(match, decline, lambda _done: _("You have declined the draw."))


def seen_moment() -> Seen:
    """The offer or position that the form refers to.

    It is the offer whose number the form contains, or else the position for which its page was rendered.
    """
    offer, ply, takebacks = (number(form_text(name, 12)) for name in ("offer", "ply", "takebacks"))
    return Seen(offer=offer) if offer is not None else Seen(ply=ply, takebacks=takebacks)


@bp.post("/games/<number:match>/hint")
def hint(match: int) -> ResponseReturnValue:
    """Play the next step of a puzzle's solution, or a robot's hint in a friendly game."""
    return act(match, hints.hint, lambda sentence: sentence)


@bp.get("/games/<number:match>/resign")
def ask_to_resign(match: int) -> ResponseReturnValue:
    """Ask for confirmation before the member resigns."""
    session.require_member()
    game = games.game_or_404(match)
    if game.card.mine is None:
        abort(403)
    if game.card.is_over:
        return redirect(url_for("games.show", number=match), 303)
    return render_template("resign.html", table=game, card=game.card)


@bp.post("/games/<number:match>/resign")
def resign(match: int) -> ResponseReturnValue:
    """Resign: the opponent wins."""
    return act(match, matches.resign, lambda _done: _("You have resigned."))


@bp.get("/games/<number:match>/next")
def show_next(match: int) -> ResponseReturnValue:
    """Redirect to the most urgent other game that waits for the member, or to the list of games."""
    member = session.require_member()
    with reading() as db:
        next_id = next_game(db, member.id, except_id=match)
    return redirect(url_for("games.show", number=next_id) if next_id else url_for("games.mine"), 303)


def act(
    match: int, use_case: Callable[..., Any], message_for: Callable[[Any], str], back: str = "", **typed: str
) -> ResponseReturnValue:
    """Run a use case for the member's seat, flash its message, and redirect.

    The target is `back`, or else the game's page.
    """
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as db:
            result = use_case(db, own_player(db, match), now=runtime.now())
    except matches.MatchError as error:
        return _refused(match, error, **typed)
    flash(message_for(result))
    return redirect(back or url_for("games.show", number=match), 303)


def _refused(match: int, error: Exception, **typed: str) -> ResponseReturnValue:
    is_late = isinstance(error, (matches.StaleMove, matches.MatchError))
    code = 409 if is_late and not isinstance(error, (PlanError, DisclosureError)) else 422
    typed["doubted"] = "yes" if isinstance(error, DoubtfulTextError) else ""
    return games.page(games.game_or_404(match), refused=str(error), typed=typed), code


def own_player(db: Session, match: int) -> Player:
    """The member's row in this game; 404 if there is no such game, 403 for onlookers."""
    player = player_of(db, match, session.require_member().id)
    if player is None:
        abort(404 if db.get(Match, match) is None else 403)
    return player


def _ply() -> int:
    """The ply in the form; -1, which matches no position, if it is not a number."""
    text = form_text("ply", 12)
    return -1 if (ply := number(text)) is None else ply
