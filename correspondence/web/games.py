"""A member's games, and the page of one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts.relations import relations_of
from correspondence.models import Match
from correspondence.outbound.suppressions import unreachable
from correspondence.play.conditional.disclosure import unplayed
from correspondence.play.conditional.plan_commands import plan_view
from correspondence.play.recall import recallable
from correspondence.queries.clock_log import clocks_of
from correspondence.queries.queries import archive, challenges, games_of, player_of, table
from correspondence.queries.view_models import GameView
from correspondence.ratings.leaderboards import match_ratings
from correspondence.render.viewer_game import Group, MoveCheck, grouped_moves, scene_svg
from correspondence.web import locale, session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for
from correspondence.web.forms import number as as_number
from correspondence.web.move_list import rows
from correspondence.web.replay import story_of
from engines.wording import _

bp = Blueprint("games", __name__)

MOVES_LISTED = 240
"""How many legal moves the page of a game lists at most."""

_TYPED = ("move", "comment", "text", "audience", "plan", "lines", "doubted", "recalled")

FINISHED = 5
"""How many of one's finished games the list of games ends with."""


@bp.get("/games")
def mine() -> str:
    """Challenges that wait, then my games, the most urgent first, then those finished lately."""
    member = session.signed_in()
    with reading() as looking:
        to_me, from_me = challenges(looking, member.id, now=current_runtime().now())
        cards = games_of(looking, member.id)
        finished = archive(looking, player=member.handle, most=FINISHED)
        is_unreachable = bool(unreachable(looking, [member.id]))
    facts = {"to_me": to_me, "from_me": from_me, "cards": cards, "finished": finished}
    return render_template("games.html", is_unreachable=is_unreachable, **facts)


@bp.get("/games/<number:number>")
def show(number: int) -> str:
    """The game as it stands, as its viewer may see it; whoever is to act can move."""
    return page(found(number))


@bp.get("/games/<number:number>/<number:ply>")
def at(number: int, ply: int) -> str:
    """The game as it stood after so many entries."""
    return page(found(number, ply), is_replay=True)


@bp.get("/games/<number:number>/go")
def go(number: int) -> ResponseReturnValue:
    """The moment that the slider or the field of numbers says; a number there is none of is refused in words."""
    seen, ply = found(number), as_number(asked_for("ply"))
    if ply is None or ply > seen.card.ply:
        refused = _("Please choose a number from 0 to {most}.").format(most=seen.card.ply)
        return page(seen, is_replay=True, refused=refused), 422
    return redirect(url_for("games.at", number=number, ply=ply, _anchor="board"), 303)


def found(number: int, ply: int | None = None) -> GameView:
    """A game as the visitor may see it; where there is none, the page says so."""
    with reading() as looking:
        seen = table(looking, number, session.visitor_id(), ply, now=current_runtime().now())
    if seen is None:
        abort(404)
    return seen


def page(
    seen: GameView,
    *,
    is_replay: bool = False,
    refused: str = "",
    verdict: MoveCheck | None = None,
    typed: Mapping[str, str] | None = None,
) -> str:
    """The page of a game; `typed` is what the visitor had written in `move`, `comment` and `text`."""
    card = seen.card
    runtime = current_runtime()
    with reading() as looking:
        match = looking.get_one(Match, card.number)
        rated, ratings, changes = match_ratings(looking, card.number, now=runtime.now())
        towards = relations_of(looking, card.number, session.visitor_id())
        clocks = clocks_of(looking, match, card.viewer, now=runtime.now(), language=locale.language())
        seat = player_of(looking, card.number, session.visitor_id() or 0)
        is_planner = seat is not None and bool(card.others)
        plan = plan_view(looking, seat) if seat is not None and is_planner and not card.is_over else None
        waits = recallable(looking, seat, now=runtime.now()) if seat is not None and card.others else ()
        sealed = unplayed(looking, seat) if seat is not None and is_planner and card.is_over else None
    can_move = card.my_turn and seen.is_latest and not is_replay
    facts: dict[str, Any] = {
        "table": seen,
        "clocks": clocks,
        "card": card,
        "rows": rows(seen.lines, len(card.sitters)),
        "picture": (verdict.picture if verdict else "") or scene_svg(seen.scene, card.viewer),
        "can_move": can_move,
        "moves": _moves(seen) if can_move else (),
        "most": MOVES_LISTED,
        "is_replay": is_replay,
        "zone": locale.zone(),
        "story": story_of(seen) if is_replay or card.is_over else None,
        "refused": refused,
        "rated": rated,
        "ratings": ratings,
        "changes": changes,
        "manners": towards,
        "plan": plan,
        "waits": {remark.id for remark in waits},
        "sealed": sealed,
        "verdict": verdict,
        "typed": {**dict.fromkeys(_TYPED, ""), **(typed or {})},
    }
    facts["count"] = sum(len(group.moves) for group in facts["moves"])
    return render_template("game.html", **facts)


def _moves(seen: GameView) -> tuple[Group, ...]:
    assert seen.card.viewer is not None
    return grouped_moves(seen.course.at(seen.ply), seen.card.viewer, MOVES_LISTED)
