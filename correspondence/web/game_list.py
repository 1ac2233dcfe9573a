"""How a member sees the list of their games: table or boards, filters, order and keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import member_settings
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.queries import my_games
from correspondence.queries.view_models import GameCard, Member
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text, number, plain, query_text
from engines import GAMES

bp = Blueprint("game_list", __name__)

BOARDS = 12
"""Boards on a page; a longer list is a table, unless the member chose boards."""

FILTERED = 5
"""The number of games from which filters are offered."""


def context(cards: Sequence[GameCard], member: Member) -> dict[str, Any]:
    """Return the chosen part of a member's running games, for the template of the list."""
    choice = _choice(request.args.get)
    shown, page = my_games.chosen(cards, choice), number(query_text("page", 6)) or 0
    view = member.list_view or ("table" if len(shown) > BOARDS else "boards")
    first = page * BOARDS if view == "boards" and page * BOARDS < len(shown) else 0
    return {
        "cards": shown[first : first + BOARDS] if view == "boards" else shown,
        "count": len(cards),
        "matching": len(shown),
        "first": first,
        "boards": BOARDS,
        "view": view,
        "choice": choice,
        "sorts": my_games.SORTS,
        "opponents": my_games.opponents(cards),
        "keys_played": [key for key in GAMES if any(card.key == key for card in cards)],
        "has_filter": len(cards) >= FILTERED or not choice.is_any,
    }


def _choice(field: Any) -> my_games.GamesChoice:
    """Read the choice of games from fields of a query or form; unknown values count as none."""
    texts = {name: plain(field(name) or "", 60) for name in ("game", "opponent", "turn", "sort")}
    return my_games.GamesChoice(
        texts["game"] if texts["game"] in GAMES else "",
        texts["opponent"],
        texts["turn"] == "mine",
        texts["sort"] if texts["sort"] in my_games.SORTS else "time",
    )


@bp.post("/games/view")
def view() -> ResponseReturnValue:
    """Show the list as a table or as boards from now on, and switch its keys on or off."""
    throttle.hit(throttle.ACT)
    member, view, keys = session.require_member(), form_text("view", 10), form_text("keys", 5)
    with transaction(current_runtime().engine) as db:
        person = db.get_one(Person, member.id)
        if view:
            member_settings.show_list_as(db, person, view)
        if keys:
            member_settings.use_list_keys(db, person, keys == "on")
    query: dict[str, Any] = _choice(request.form.get).query
    return redirect(url_for("games.mine", **query), 303)
