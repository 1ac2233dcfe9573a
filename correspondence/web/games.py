"""The list of a member's games, and the page of one game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.relations import mute_state_of, room_of
from correspondence.models import Match, Player
from correspondence.models.epochs import lost_at
from correspondence.models.loading import known_match
from correspondence.outbound.suppressions import unreachable
from correspondence.play import hints, lessons
from correspondence.play.conditional.disclosure import unplayed
from correspondence.play.conditional.plan_commands import plan_view
from correspondence.play.recall import recallable
from correspondence.queries.clock_log import clocks_of
from correspondence.queries.game_lists import finished_by, played_by
from correspondence.queries.open_challenges import challenges_of
from correspondence.queries.page_versions import game_page_version, page_state, rounded
from correspondence.queries.postal_cards import notice
from correspondence.queries.queries import game_view, player_of
from correspondence.queries.view_models import GameCard, GameView
from correspondence.ratings.leaderboards import match_ratings
from correspondence.render.narration import sentence
from correspondence.render.viewer_game import Group, MoveCheck, grouped_moves, had_secrets
from correspondence.web import errors, game_list, locale, session, unchanged
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number as as_number
from correspondence.web.forms import query_text
from correspondence.web.frames import oembed_url
from correspondence.web.move_list import rows_of
from correspondence.web.panels import panels_of
from correspondence.web.replay import history_of
from engines.wording import _

bp = Blueprint("games", __name__)

MOVES_LISTED = 240
"""Maximum number of legal moves listed on a game's page."""

_INPUT_FIELDS = ("move", "comment", "text", "audience", "plan", "lines", "doubted", "recalled")

FINISHED = 5
"""Number of finished games at the end of a member's list."""


@bp.get("/games")
def mine() -> Response:
    """List open challenges, the member's games as they chose, and the latest finished ones."""
    member, now = session.require_member(), current_runtime().now()
    with reading() as db:
        to_me, from_me = challenges_of(db, member.id, now=now)
        running = played_by(db, member.id)
        finished = finished_by(db, member.id, FINISHED)
        is_unreachable = bool(unreachable(db, [member.id]))
        room = room_of(db, member.id, member.games_limit, running.count_with_people(member.id))

    def draw() -> str:
        listed = game_list.context(running.cards(member.id), member)
        around = {"to_me": to_me, "from_me": from_me, "finished": finished.cards(member.id), "room": room}
        return render_template("games.html", is_unreachable=is_unreachable, **around, **listed)

    time = rounded(now, min(running.deadlines, default=None))
    version = (to_me, from_me, running.version, finished.version, is_unreachable, room, time)
    return unchanged.answer(version, draw)


@bp.get("/games/<number:number>")
def show(number: int) -> Response:
    """Show the current position of a game, redacted for its viewer; the player to move can move."""
    return unchanged.answer(_version(number), lambda: page(game_or_404(number)))


@bp.get("/games/<number:number>/<number:ply>")
def at(number: int, ply: int) -> Response:
    """Show the position after `ply` entries."""
    return unchanged.answer(_version(number), lambda: page(game_or_404(number, ply), is_replay=True))


def _version(number: int) -> Hashable | None:
    with reading() as db:
        return game_page_version(db, number, session.visitor_id(), now=current_runtime().now())


@bp.get("/games/<number:number>/go")
def go(number: int) -> ResponseReturnValue:
    """Redirect to the ply chosen by slider or number field; refuse an impossible number."""
    seen, ply = game_or_404(number), as_number(query_text("ply"))
    if ply is None or ply > seen.card.ply:
        refused = _("Please choose a number from 0 to {most}.").format(most=seen.card.ply)
        return page(seen, is_replay=True, refused=refused), 422
    return redirect(url_for("games.at", number=number, ply=ply, _anchor="board"), 303)


def game_or_404(number: int, ply: int | None = None) -> GameView:
    """A game redacted for the visitor; 404 if there is none."""
    with reading() as db:
        seen = game_view(db, number, session.visitor_id(), ply, now=current_runtime().now())
        kept_until = lost_at(db, Match, number) if seen is None else None
    if kept_until is not None:
        abort(errors.lost_game(number, kept_until))
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
    """Render the page of a game.

    `typed` holds the visitor's input in `move`, `comment`, `text` and so on.
    """
    can_move = seen.card.my_turn and seen.is_latest and not is_replay
    around = _around(seen.card, seen.ply)
    turning = [ply for panel in around["panels"] for ply in panel.turning_points]
    moves = _moves(seen) if can_move else ()
    return render_template(
        "game.html",
        table=seen,
        card=seen.card,
        move_rows=rows_of(seen, turning),
        picture=(verdict.picture if verdict else "") or _picture(seen),
        can_move=can_move,
        moves=moves,
        count=sum(len(group.moves) for group in moves),
        most=MOVES_LISTED,
        is_replay=is_replay,
        pulse=_pulse(seen.card.number),
        zone=locale.zone(),
        history=history_of(seen) if is_replay or seen.card.is_over else None,
        told=sentence(seen.viewer_game, seen.ply, seen.card.viewer, opened=seen.card.is_over),
        oembed="" if seen.daily else oembed_url(url_for("games.show", number=seen.card.number)),
        has_eyes=seen.card.is_over and len(seen.card.players) > 1 and had_secrets(seen.viewer_game),
        refused=refused,
        verdict=verdict,
        typed={**dict.fromkeys(_INPUT_FIELDS, ""), **(typed or {})},
        **around,
    )


def _pulse(number: int) -> str:
    """The page's version, by which the open page detects changes."""
    with reading() as db:
        state = page_state(db, number, session.visitor_id(), now=current_runtime().now())
    assert state is not None  # the visitor sees the game
    return state.version


def _picture(seen: GameView) -> str:
    return seen.viewer_game.picture(seen.ply, seen.card.viewer, opened=seen.card.is_over)


def _around(card: GameCard, ply: int) -> dict[str, Any]:
    """The context around a game's board: ratings, clocks, relations, and the visitor's own data."""
    now, visitor_id = current_runtime().now(), session.visitor_id()
    with reading() as db:
        rated, ratings, changes = match_ratings(db, card.number, now=now)
        match, seat = known_match(db, card.number), player_of(db, card.number, visitor_id or 0)
        assert match is not None  # the visitor can see it
        return {
            "rated": rated,
            "ratings": ratings,
            "changes": changes,
            "mute_state": mute_state_of(db, card.number, visitor_id),
            "post": notice(db, match, visitor_id),
            "clocks": clocks_of(db, match, card.viewer, now=now, language=locale.language()),
            "panels": panels_of(db, match),
            "lesson": lessons.explained(db, match, ply - 1, ply) if card.mine is not None else None,
            "gives_hints": card.mine is not None
            and not card.is_over
            and hints.is_possible(db, match, card.mine.person_id),
            **_of_player(db, card, seat if card.others else None, now),
        }


def _of_player(db: Session, card: GameCard, seat: Player | None, now: datetime) -> dict[str, Any]:
    """A player's own data in a game with opponents: plan, recallable remarks, unplayed plans."""
    return {
        "plan": plan_view(db, seat) if seat is not None and not card.is_over else None,
        "sealed": unplayed(db, seat) if seat is not None and card.is_over else None,
        "recallable_ids": {remark.id for remark in recallable(db, seat, now=now)} if seat is not None else set(),
    }


def _moves(seen: GameView) -> tuple[Group, ...]:
    assert seen.card.viewer is not None
    return grouped_moves(seen.viewer_game.at(seen.ply), seen.card.viewer, MOVES_LISTED)
