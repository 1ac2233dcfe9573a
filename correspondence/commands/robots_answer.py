"""The answer to `robots`: all robots, weakest first, with their challenge lines. Read-only."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.models import Person
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.ratings.ratings import RatingState, ratings_by_game
from engines.base import Game
from engines.wording import _

LINE_WIDTH = 36
"""Width of the command column in characters; it keeps a letter's lines within 78."""


def robots_answer(session: Session, *, now: datetime) -> TranscriptEntry:
    """List the robots that can be challenged: command line, level in words, and rating."""
    by_game = [(game, robots.robots_of(session, game.key)) for game in robots.robot_games()]
    there = [(game, persons) for game, persons in by_game if persons]
    if not there or not robots.are_awake(session, now=now):
        return TranscriptEntry("", _("Robots are switched off here at the moment, so none can be challenged."))
    ratings = ratings_by_game(session, [person.id for _game, persons in there for person in persons], now=now)
    blocks = [_block(game, persons, ratings) for game, persons in there]
    text = _("These robots accept a challenge at once, the weakest first. Write the line of the one you want to play:")
    return TranscriptEntry("", text, block="\n\n".join([*blocks, "%%base%%/robots"]))


def _block(game: Game, persons: list[Person], ratings: dict[tuple[int, str], RatingState]) -> str:
    rows = [_row(person, ratings.get((person.id, game.key))) for person in persons]
    return "\n".join([_(game.name), *rows])


def _row(person: Person, rating: RatingState | None) -> str:
    line = _("challenge {handle}").format(handle=person.handle)
    shown = str(rating) if rating is not None and rating.games else _("no rating yet")
    return f"  {line:<{LINE_WIDTH}} {robots.level_name(person)}, {shown}"
