"""The front page and the help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, render_template
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.matchmaking import teaching_games
from correspondence.outbound.compose import open_address
from correspondence.play import puzzles
from correspondence.play.puzzles import Today
from correspondence.queries.queries import front_games
from correspondence.queries.view_models import GameCard
from correspondence.web import guest_deal, session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.game_intros import INTROS
from engines.base import Game
from engines.duel_puzzle.goals import SENTENCES

bp = Blueprint("home", __name__)

LATEST = 6
"""How many finished games the front page shows."""

LONG_ENOUGH = 6
"""How many entries a game has that is worth a look: a finished one is shown as a film then, a running one before others."""


@bp.get("/")
def front() -> str:
    """The front page: what this is, a game as it is being played, the deal of the day, the games, and the latest finished ones.

    Where none has got far, the last finished one is shown as a film; before there is any, one that has begun, or a picture.
    """
    runtime, reader = current_runtime(), session.visitor_id()
    with reading() as db:
        latest, running = front_games(db, LATEST)
        today, guest = _deal(db, reader)
        lessons = _lessons(db, reader)
    live = _worth_a_look(running)
    film = _worth_a_look(latest) if live is None else None
    if film is None:
        live = live or next((card for card in running if card.ply), None)
    return render_template(
        "home.html", latest=latest, live=live, film=film, today=today, guest=guest, sentences=SENTENCES, intros=INTROS,
        address=open_address(runtime.settings), lessons=lessons,
    )  # fmt: skip


def _worth_a_look(cards: Sequence[GameCard]) -> GameCard | None:
    """The first game that is LONG_ENOUGH; None where there is none."""
    return next((card for card in cards if card.ply >= LONG_ENOUGH), None)


def _deal(db: Session, reader: int | None) -> tuple[Today | None, dict[str, Any] | None]:
    """The deal of today, once it is made: for a member, or as a visitor without an account has played at it."""
    now = current_runtime().now()
    if not puzzles.is_prepared(db, now.date()):
        return None, None
    if reader is None:
        return None, guest_deal.shown(guest_deal.attempt_now(db))
    return puzzles.today(db, reader, now=now), None


def _lessons(db: Session, reader: int | None) -> tuple[Game, ...]:
    """The games that a robot offers to teach a member who has not finished any game yet."""
    if reader is None or not teaching_games.has_finished_none(db, reader):
        return ()
    return teaching_games.untried(db, reader) if robots.are_awake(db, now=current_runtime().now()) else ()


@bp.get("/help")
def help_page() -> str:
    """The help: how to play here, by mail and on pages."""
    return render_template("help.html", domain=current_runtime().settings.mail_domain, intros=INTROS)
