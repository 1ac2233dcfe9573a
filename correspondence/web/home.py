"""The front page and the help."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, render_template
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.matchmaking import teaching_games
from correspondence.outbound.compose import open_address
from correspondence.play import exercises, puzzles
from correspondence.play.puzzles import Attempt, Today
from correspondence.queries.queries import front_list
from correspondence.queries.view_models import GameCard
from correspondence.web import guest_deal, session, unchanged
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.game_intros import INTROS
from engines.base import Game
from engines.duel_puzzle.goals import SENTENCES

bp = Blueprint("home", __name__)

LATEST = 6
"""Number of finished games on the front page."""

LONG_ENOUGH = 6
"""Minimum number of entries for a game to be featured on the front page."""


class DailyDeal(NamedTuple):
    """Today's deal, if it exists: a member's, or a guest's attempt at it."""

    today: Today | None = None
    attempt: Attempt | None = None

    @property
    def version(self) -> Hashable:
        """The values that the page depends on, as part of its version."""
        own = self.today and (self.today.day, self.today.goal, self.today.par, self.today.mine)
        return own, self.attempt and (self.attempt.day, self.attempt.goal, self.attempt.par, self.attempt.moves)


@bp.get("/")
def front() -> Response:
    """Show the front page: introduction, featured game, deal of the day, and lists of games.

    The featured game is a running game of LONG_ENOUGH entries, or else the film of a finished one. If there is
    neither, it is any running game with a move, or a picture.
    """
    reader = session.visitor_id()
    with reading() as db:
        games, deal, lessons = front_list(db, LATEST), _deal(db, reader), _lessons(db, reader)
        has_exercises = exercises.are_any(db)
    version = games.version, deal.version, tuple(game.key for game in lessons), has_exercises
    return unchanged.answer(version, lambda: _page(games.cards(None), deal, lessons, has_exercises))


def _page(cards: Sequence[GameCard], deal: DailyDeal, lessons: Sequence[Game], has_exercises: bool) -> str:
    latest, running = ([card for card in cards if card.is_over is is_over] for is_over in (True, False))
    live = _worth_a_look(running)
    film = _worth_a_look(latest) if live is None else None
    if film is None:
        live = live or next((card for card in running if card.ply), None)
    guest = None if deal.attempt is None else guest_deal.shown(deal.attempt)
    address = open_address(current_runtime().settings)
    return render_template(
        "home.html", latest=latest[:LATEST], live=live, film=film, today=deal.today, guest=guest, sentences=SENTENCES,
        intros=INTROS, address=address, lessons=lessons, has_exercises=has_exercises,
    )  # fmt: skip


def _worth_a_look(cards: Sequence[GameCard]) -> GameCard | None:
    """The first game that is LONG_ENOUGH; None if there is none."""
    return next((card for card in cards if card.ply >= LONG_ENOUGH), None)


def _deal(db: Session, reader: int | None) -> DailyDeal:
    now = current_runtime().now()
    if not puzzles.is_prepared(db, now.date()):
        return DailyDeal()
    if reader is None:
        return DailyDeal(attempt=guest_deal.attempt_now(db))
    return DailyDeal(today=puzzles.today(db, reader, now=now))


def _lessons(db: Session, reader: int | None) -> tuple[Game, ...]:
    """The games that a robot offers to teach a member who has not finished any game yet."""
    if reader is None or not teaching_games.has_finished_none(db, reader):
        return ()
    return teaching_games.untried(db, reader) if robots.are_awake(db, now=current_runtime().now()) else ()


@bp.get("/help")
def help_page() -> str:
    """Show the help: how to play here, by mail and on pages."""
    return render_template("help.html", domain=current_runtime().settings.mail_domain, intros=INTROS)
