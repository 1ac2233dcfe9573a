"""The page of a visitor's game against a robot."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, redirect, render_template, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.accounts.relations import ChallengeError
from correspondence.core.db import transaction
from correspondence.features.visitor_games import visitor_games
from correspondence.features.visitor_games.tables import VisitorGame
from correspondence.features.visitor_games.visitor_games import LEVEL, SEAT, VisitorGameError
from correspondence.models import Person
from correspondence.render.viewer_game import ViewerGame, grouped_moves, scene_svg
from correspondence.web import lines, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, number
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import MoveError
from engines.record import Entry
from engines.refusal import Refusal
from engines.search.levels import levels_of
from engines.wording import _

bp = Blueprint(
    "visitor_games", __name__, static_folder="static", static_url_path="/static/visitor_games",
    template_folder="templates/web",
)  # fmt: skip

MOVES_LISTED = 240
"""Maximum number of legal moves listed."""

_KEY = "visitor_game"


@bp.get("/try-a-game")
def show() -> ResponseReturnValue:
    """Show the visitor's game, or the games that can be begun. Members are redirected to the robots."""
    if session.visitor() is not None:
        return redirect(url_for("robots.listed"), 303)
    return _page()


@bp.post("/try-a-game")
def begin() -> ResponseReturnValue:
    """Begin a game in place of the visitor's last one."""
    throttle.hit(throttle.JOIN)
    if session.visitor() is not None:
        return redirect(url_for("robots.listed"), 303)
    runtime = current_runtime()
    site = visitor_games.site_digest(runtime.settings.secret_key, throttle.visitor())
    try:
        with transaction(runtime.engine) as db:
            visitor_games.drop(db, _key(), now=runtime.now())
            cookie[_KEY] = visitor_games.begin(db, form_text("game", 40), site, now=runtime.now())
    except VisitorGameError as error:
        return _page(refused=error), 422
    return redirect(url_for("visitor_games.show"), 303)


@bp.post("/try-a-game/move")
def move() -> ResponseReturnValue:
    """Play the visitor's move; the robot's follows when a worker has found one."""
    throttle.hit(throttle.ACT)
    runtime, text = current_runtime(), lines.asked_move()
    ply = number(form_text("ply", 12))
    try:
        with transaction(runtime.engine) as db:
            visitor_games.move(db, _key(), text, -1 if ply is None else ply, now=runtime.now())
    except (MoveError, VisitorGameError) as error:
        return _page(refused=error, typed=text), 422
    return redirect(url_for("visitor_games.show", _anchor="board"), 303)


@bp.post("/try-a-game/read")
def read() -> ResponseReturnValue:
    """Preview the visitor's move, as JSON."""
    throttle.hit(throttle.READ)
    with reading() as db:
        row = _row(db)
        if row is None:
            return jsonify(state="wrong", sentence=_("This game is no longer here. Please begin another one."))
        return lines.verdict_on(visitor_games.position_of(row))


@bp.get("/try-a-game/moves.json")
def moves() -> ResponseReturnValue:
    """Return the visitor's legal moves as a touch tree; empty if they are not to move."""
    throttle.hit(throttle.READ)
    with reading() as db:
        row = _row(db)
        return jsonify(lines.NOTHING) if row is None else lines.touches_of(visitor_games.position_of(row))


@bp.get("/try-a-game/state.json")
def state() -> ResponseReturnValue:
    """Return the number of moves in the visitor's game, by which its page notices the robot's move."""
    throttle.hit(throttle.WATCH)
    with reading() as db:
        row = _row(db)
        return jsonify(ply=None if row is None else len(visitor_games.entries_of(row)))


def content_of(db: Session, reader: int | None) -> tuple[Any, ...] | None:
    """Return what the front page shows to visitors: the games, and whether one has begun.

    None for members, and while robots are switched off.
    """
    if reader is not None or not robots.are_awake(db, now=current_runtime().now()):
        return None
    row = _row(db)
    return tuple(game.key for game in visitor_games.offered()), "" if row is None else row.game


def keep(db: Session, person: Person) -> str:
    """Give the visitor's game to the member who has joined or signed in; return a sentence about it."""
    runtime = current_runtime()
    try:
        match = visitor_games.keep(db, person, _key(), now=runtime.now(), rng=runtime.rng)
    except ChallengeError as error:
        return _("Your game as a visitor could not be kept. {why}").format(why=error)
    return "" if match is None else _("Your game with the robot is now game {number}.").format(number=match.id)


def _key() -> str:
    return str(cookie.get(_KEY, ""))


def _row(db: Session) -> VisitorGame | None:
    return visitor_games.find(db, _key(), now=current_runtime().now())


def _page(*, refused: Refusal | None = None, typed: str = "") -> str:
    with reading() as db:
        row = _row(db)
        is_awake = robots.are_awake(db, now=current_runtime().now())
        shown = None if row is None else _shown(row)
    return render_template(
        "visitor_games/page.html", shown=shown, offered=visitor_games.offered(), intros=INTROS, is_awake=is_awake,
        refused=str(refused or ""), suggestions=getattr(refused, "suggestions", ()), typed=typed,
    )  # fmt: skip


def _shown(row: VisitorGame) -> dict[str, Any]:
    """The template context of a game: board, moves, and whose turn it is."""
    game, entries, position = GAMES[row.game], visitor_games.entries_of(row), visitor_games.position_of(row)
    can_move = SEAT in position.to_act
    return {
        "game": game, "ply": len(entries), "scene": position.draw(), "picture": _picture(row, entries),
        "seat": _(game.seats[SEAT]), "level": _(levels_of(game)[LEVEL - 1].name), "can_move": can_move,
        "moves": [(_(game.seats[entry.seat]), entry.text) for entry in entries],
        "groups": grouped_moves(position, SEAT, MOVES_LISTED) if can_move else (),
        "ending": _ending(row, position), "ends_at": row.ends_at,
    }  # fmt: skip


def _picture(row: VisitorGame, entries: tuple[Entry, ...]) -> str:
    game = ViewerGame(row.game, "", entries)
    now = game.at(len(entries)).draw()
    return scene_svg(lines.marked(game.at(len(entries) - 1).draw(), now) if entries else now, SEAT)


def _ending(row: VisitorGame, position: Any) -> str:
    """How a finished game ended, in a sentence; empty before."""
    outcome = position.outcome
    if outcome is None:
        return ""
    if not outcome.winners:
        return _("A draw by {reason}.").format(reason=_(outcome.reason))
    won = _("You won by {reason}.") if SEAT in outcome.winners else _("The robot won by {reason}.")
    return won.format(reason=_(outcome.reason))
