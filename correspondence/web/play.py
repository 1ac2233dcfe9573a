"""What players do in a game: move, preview a move, offer and decline a draw, resign; and what an open page asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import By, Match, Player
from correspondence.play import matches, puzzles, unseen
from correspondence.play.conditional import syntax
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.talk_guard import DisclosureError, Doubtful
from correspondence.queries.queries import acting_position, next_game, player_of
from correspondence.render.viewer_game import MoveCheck, check_move, touch_labels, touch_tree
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for, number, ticked, written
from engines.base import MoveError
from engines.wording import _

bp = Blueprint("play", __name__, url_prefix="/games/<number:match>")

LONGEST_MOVE = 400
"""The longest text that is read as a move."""


@bp.post("/move")
def move(match: int) -> ResponseReturnValue:
    """The move is played; one that cannot be is answered with a sentence, and all text kept.

    Members who want it so are shown the position first, and asked once more.
    """
    throttle.hit(throttle.ACT)
    text, comment, ply = written("move", LONGEST_MOVE), written("comment", matches.TALK_LIMIT), _ply()
    runtime, plan = current_runtime(), written("plan", syntax.LONGEST + 1)
    if session.signed_in().confirm_moves and not ticked("confirmed") and _judge(match, text).state == "good":
        return _previewed(match, _judge(match, text), text)
    try:
        with transaction(runtime.engine) as acting:
            played = matches.make_move(
                acting, seated(acting, match), text, now=runtime.now(), by=By.WEB,
                comment=comment, ply=ply, undone=number(written("undone", 12)), plan=plan, is_meant=ticked("meant"),
            )  # fmt: skip
    except (MoveError, matches.MatchError) as error:
        return _refused(match, error, move=text, comment=comment, plan=plan)
    told = _("You played {move}.").format(move=played.entries[0].text)
    if played.unplanned is not None:
        return games.page(games.found(match), refused=f"{told} {played.unplanned}", typed={"lines": plan})
    flash(told)
    return redirect(url_for("games.show", number=match), 303)


@bp.post("/read")
def read(match: int) -> ResponseReturnValue:
    """What a typed move would do, without doing it: as JSON for the page's script, as a page otherwise.

    `complete` is -1 where more must be said, 0 where the move can be played or continued, 1 where it is whole.
    """
    throttle.hit(throttle.READ)
    text = written("pick", LONGEST_MOVE) or written("move", LONGEST_MOVE)
    judged = _judge(match, text)
    if request.accept_mimetypes.best == "application/json":
        return jsonify(
            state=judged.state, complete=judged.complete, sentence=judged.explanation, text=judged.text,
            picture=judged.picture, suggestions=judged.suggestions,
        )  # fmt: skip
    return _previewed(match, judged, text)


def _previewed(match: int, judged: MoveCheck, text: str) -> str:
    typed = {"move": judged.text or text, "comment": written("comment", matches.TALK_LIMIT)}
    typed["plan"] = written("plan", syntax.LONGEST + 1)
    return games.page(games.found(match), verdict=judged, typed=typed)


def _judge(match: int, text: str) -> MoveCheck:
    with reading() as looking:
        place = acting_position(looking, match, session.signed_in().id)
    if place is None:
        return MoveCheck("wrong", _("It is not your turn in this game."))
    if place.ply != _ply():
        return MoveCheck("wrong", _("The game has gone on since this page was loaded; please load it again."))
    return check_move(place.position, place.seat, text)


@bp.get("/moves.json")
def moves(match: int) -> ResponseReturnValue:
    """Every move of whoever is to act, as a tree of touches, for the page's script; nothing for others."""
    with reading() as looking:
        place = acting_position(looking, match, session.visitor_id())
    if place is None or place.ply != number(asked_for("ply")):
        return jsonify(ply=None, tree=None, labels={}), 409
    tree = touch_tree(place.position, place.seat)
    return jsonify(ply=place.ply, tree=tree, labels=touch_labels(place.position, place.seat))


@bp.get("/ply.json")
def ply(match: int) -> ResponseReturnValue:
    """What an open page asks now and then: how far the game is, or 304 while its page would look the same."""
    throttle.hit(throttle.WATCH)
    with reading() as looking:
        found = unseen.page_state(looking, match, session.visitor_id(), now=current_runtime().now())
    if found is None:
        abort(404)
    pulse, ply, is_over = found
    answer = jsonify(ply=ply, over=is_over, pulse=pulse)
    answer.set_etag(pulse)
    return answer.make_conditional(request)


@bp.post("/seen")
def seen(match: int) -> ResponseReturnValue:
    """The member has seen the game so far: what comes later is marked as new."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    with transaction(runtime.engine) as acting:
        player = seated(acting, match)
        unseen.mark_seen(acting, player, _ply(), remark=number(written("remark", 12)) or 0, now=runtime.now())
    if request.accept_mimetypes.best == "application/json":
        return Response(status=204)
    return redirect(url_for("games.show", number=match), 303)


@bp.post("/draw")
def draw(match: int) -> ResponseReturnValue:
    """A draw is offered, or the one on offer accepted."""
    drawn = _("The game is drawn.")
    offered = _("You have offered a draw; your opponent is told.")
    return act(match, matches.offer_draw, lambda is_over: drawn if is_over else offered)


@bp.post("/decline")
def decline(match: int) -> ResponseReturnValue:
    """The opponent's offer of a draw is declined."""
    return act(match, matches.decline_draw, lambda _done: _("You have declined the draw."))


@bp.post("/hint")
def hint(match: int) -> ResponseReturnValue:
    """The next step of a solution of the member's puzzle."""
    return act(match, puzzles.next_step, lambda step: _("A step of a solution: {move}").format(move=step))


@bp.get("/resign")
def ask_to_resign(match: int) -> ResponseReturnValue:
    """Asks once more whether the game is to be given up."""
    session.signed_in()
    seen = games.found(match)
    if seen.card.mine is None:
        abort(403)
    if seen.card.is_over:
        return redirect(url_for("games.show", number=match), 303)
    return render_template("resign.html", table=seen, card=seen.card)


@bp.post("/resign")
def resign(match: int) -> ResponseReturnValue:
    """The game is over; the opponent wins."""
    return act(match, matches.resign, lambda _done: _("You have resigned."))


@bp.get("/next")
def after_this(match: int) -> ResponseReturnValue:
    """The most urgent game besides this one that waits for the member; the list of games where none does."""
    member = session.signed_in()
    with reading() as looking:
        following = next_game(looking, member.id, besides=match)
    return redirect(url_for("games.show", number=following) if following else url_for("games.mine"), 303)


def act(
    match: int, use_case: Callable[..., Any], tell: Callable[[Any], str], back: str = "", **typed: str
) -> ResponseReturnValue:
    """Carry out a use case of the member's seat, tell what came of it, and lead back to the game's page or `back`."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            done = use_case(acting, seated(acting, match), now=runtime.now())
    except matches.MatchError as error:
        return _refused(match, error, **typed)
    flash(tell(done))
    return redirect(back or url_for("games.show", number=match), 303)


def _refused(match: int, error: Exception, **typed: str) -> ResponseReturnValue:
    is_late = isinstance(error, (matches.StaleMove, matches.MatchError))
    code = 409 if is_late and not isinstance(error, (PlanError, DisclosureError)) else 422
    typed["doubted"] = "yes" if isinstance(error, Doubtful) else ""
    return games.page(games.found(match), refused=str(error), typed=typed), code


def seated(acting: Session, match: int) -> Player:
    """The member's seat in this game; nobody else may act in it."""
    player = player_of(acting, match, session.signed_in().id)
    if player is None:
        abort(404 if acting.get(Match, match) is None else 403)
    return player


def _ply() -> int:
    """The entries that the page showed when it was loaded; what is no number fits no position."""
    text = written("ply", 12)
    return -1 if (ply := number(text)) is None else ply
