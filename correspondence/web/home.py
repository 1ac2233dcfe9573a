"""The front page and the help."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple

from flask import Blueprint, Response, render_template
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.commands.help import TOPICS, lines_of
from correspondence.matchmaking import teaching_games
from correspondence.outbound.compose import open_address
from correspondence.play import exercises, puzzles
from correspondence.play.puzzles import Attempt, Today
from correspondence.queries.queries import front_list
from correspondence.queries.view_models import GameCard
from correspondence.rulebook.sample_games import has_sample
from correspondence.web import front_parts, guest_deal, session, settings_topics, unchanged
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import query_text
from correspondence.web.front_parts import ShownPart
from correspondence.web.game_intros import INTROS
from correspondence.web.settings_topics import PageLink
from engines import GAMES
from engines.base import Game
from engines.duel_puzzle.goals import SENTENCES
from engines.wording import N_, _

bp = Blueprint("home", __name__)

LATEST = 6
"""Number of finished games on the front page."""

GOING_ON = 3
"""Number of running games on the front page, beside the one that is followed live."""

LONG_ENOUGH = 6
"""Minimum number of entries for a game to be followed live on the front page, if there is one."""


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
    """Show the front page: introduction, a sample game, deal of the day, and what is going on now.

    The sample game is one that the author of a game has chosen, another one each day. The game that is followed live
    is a running game of LONG_ENOUGH entries, or else any running game with a move.
    """
    reader, today = session.visitor_id(), current_runtime().now().date()
    with reading() as db:
        games, deal, lessons = front_list(db, LATEST), _deal(db, reader), _lessons(db, reader)
        has_exercises, parts = exercises.are_any(db), front_parts.parts_for(db, reader)
    version = games.version, deal.version, tuple(game.key for game in lessons), has_exercises, parts, today
    return unchanged.answer(version, lambda: _page(games.cards(None), deal, lessons, has_exercises, parts, today))


def _page(
    cards: Sequence[GameCard],
    deal: DailyDeal,
    lessons: Sequence[Game],
    has_exercises: bool,
    parts: Sequence[ShownPart],
    today: date,
) -> str:
    latest, running = ([card for card in cards if card.is_over is is_over] for is_over in (True, False))
    live = next((card for card in running if card.ply >= LONG_ENOUGH), None)
    live = live or next((card for card in running if card.ply), None)
    others = [card for card in running if card is not live and card.ply][:GOING_ON]
    guest = None if deal.attempt is None else guest_deal.shown(deal.attempt)
    address = open_address(current_runtime().settings)
    return render_template(
        "home.html", latest=latest[:LATEST], live=live, others=others, hero=_hero(today), today=deal.today, guest=guest,
        sentences=SENTENCES, intros=INTROS, address=address, lessons=lessons, has_exercises=has_exercises, parts=parts,
    )  # fmt: skip


def _hero(day: date) -> str:
    """The game whose sample game is shown on this day; empty if no game has one."""
    keys = [key for key in GAMES if has_sample(key)]
    return keys[day.toordinal() % len(keys)] if keys else ""


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


_PAGES = (
    PageLink("seeks.listed", N_("Seeks")), PageLink("directory.members", N_("Partners")), PageLink("puzzles.show", N_("Puzzles")),
    PageLink("exercises.listed", N_("Exercises")), PageLink("watch.running", N_("Watch")),
    PageLink("history.finished", N_("Archive")), PageLink("robots.listed", N_("Play a robot")),
    PageLink("rules.every", N_("The rules")), PageLink("ratings.overview", N_("Ratings")),
    PageLink("settings.show", N_("Settings")), PageLink("documents.api", N_("The API for programs")),
    PageLink("documents.events", N_("Events for programs")),
)  # fmt: skip
"""Pages that the search of the help finds by their titles, beside those of the settings."""


@bp.get("/help")
def help_page() -> str:
    """Show the help, or with `q` its parts, commands and pages that have all these words."""
    wanted, settings = query_text("q"), current_runtime().settings
    words = wanted.casefold().split()

    def matches(text: str) -> bool:
        return all(word in text.casefold() for word in words)

    topics = ((_(topic.title), lines_of(name, settings.features_off)) for name, topic in TOPICS.items())
    found = (
        (title, [one for one in lines if matches(f"{title} {_(one.example)} {_(one.explanation)}")])
        for title, lines in topics
    )
    pages = [one for one in _PAGES if one.has(words)] + list(chain(*settings_topics.groups(wanted).values()))
    return render_template(
        "help.html", domain=settings.mail_domain, intros=INTROS, wanted=wanted, matches=matches, pages=pages if words else [],
        topics=[(title, lines) for title, lines in found if lines],
    )  # fmt: skip
