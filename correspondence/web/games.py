"""A member's games, and the page of one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, render_template, request

from correspondence import showing
from correspondence.boards import Verdict, drawn, some_moves
from correspondence.db import reading, transaction
from correspondence.house import this_house
from correspondence.queries import archive, challenges, games_of, table
from correspondence.shown import Table
from correspondence.web import session
from correspondence.web.movelist import rows

bp = Blueprint("games", __name__)

MOVES_LISTED = 240
"""How many legal moves the page of a game lists at most."""

FINISHED = 5
"""How many of one's finished games the list of games ends with."""


@bp.get("/games")
def mine() -> str:
    """Challenges that wait, then my games, the most urgent first, then those finished lately."""
    member = session.signed_in()
    with reading(this_house().engine) as looking:
        to_me, from_me = challenges(looking, member.id)
        cards = games_of(looking, member.id)
        finished = archive(looking, player=member.handle)[:FINISHED]
    return render_template("games.html", to_me=to_me, from_me=from_me, cards=cards, finished=finished)


@bp.get("/games/<number:number>")
def show(number: int) -> str:
    """The game as it stands, as its viewer may see it; whoever is to act can move.

    That a player was shown it is noted, so that no letter need tell him.
    """
    engine = this_house().engine
    with reading(engine) as looking:
        sight = showing.news_for(looking, number, session.visitor_id())
    text = page(found(number))
    if sight is not None and request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", ""):
        with transaction(engine) as noting:
            showing.note(noting, sight)
    return text


@bp.get("/games/<number:number>/<number:ply>")
def at(number: int, ply: int) -> str:
    """The game as it stood after so many entries."""
    return page(found(number, ply), is_replay=True)


def found(number: int, ply: int | None = None) -> Table:
    """A game as the visitor may see it; where there is none, the page says so."""
    with reading(this_house().engine) as looking:
        seen = table(looking, number, session.visitor_id(), ply)
    if seen is None:
        abort(404)
    return seen


def page(
    seen: Table,
    *,
    is_replay: bool = False,
    refused: str = "",
    verdict: Verdict | None = None,
    typed: Mapping[str, str] | None = None,
) -> str:
    """The page of a game; `typed` is what the visitor had written in `move`, `comment` and `text`."""
    card = seen.card
    can_move = card.my_turn and seen.is_latest and not is_replay
    shown: dict[str, Any] = {
        "table": seen,
        "card": card,
        "rows": rows(seen.lines, len(card.sitters)),
        "picture": (verdict.picture if verdict else "") or drawn(seen.scene, card.viewer),
        "can_move": can_move,
        "moves": _moves(seen) if can_move else (),
        "most": MOVES_LISTED,
        "is_replay": is_replay,
        "refused": refused,
        "verdict": verdict,
        "typed": {"move": "", "comment": "", "text": "", **(typed or {})},
    }
    return render_template("game.html", **shown)


def _moves(seen: Table) -> tuple[str, ...]:
    assert seen.card.viewer is not None
    return some_moves(seen.course.at(seen.ply), seen.card.viewer, MOVES_LISTED)
