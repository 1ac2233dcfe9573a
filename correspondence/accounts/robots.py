"""Robots as members: one for each game and level, without an address, and whether somebody thinks for them now."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.db import add_unless_there
from correspondence.core.robot_handles import handle_of
from correspondence.models import Person, RobotWatch
from correspondence.models.people import IS_ROBOT
from engines import GAMES
from engines.base import Game
from engines.search.levels import levels_of
from engines.wording import _

GIVES_RECORDS = "cc0"
"""The answer of robots to whether their finished games may be given to everybody: their opponents decide."""

AWAKE_FOR = timedelta(days=1)
"""For so long after a worker that thinks for robots was last seen they can be challenged."""

NOTED_EVERY = timedelta(minutes=10)
"""How often such a worker notes that it is there."""


WATCH_IS_NOTED = select(RobotWatch.id).where(
    col(RobotWatch.seen_at) > bindparam("noted_after"), col(RobotWatch.seen_at) <= bindparam("now")
)
"""The watch, where a worker has noted lately that it thinks for robots: after `now` less `NOTED_EVERY`."""


def robot_games() -> tuple[Game, ...]:
    """The games that robots play: those for two that are looked ahead (`Game.judge`)."""
    return tuple(game for game in GAMES.values() if len(game.seats) == 2 and game.judge is not None)


def level_name(person: Person) -> str:
    """What the level of a robot is called, such as “Club player”; empty for people, and where its game is missing."""
    levels = levels_of(GAMES[person.robot_game]) if person.robot_game in GAMES else ()
    return _(levels[person.robot_level - 1].name) if 0 < person.robot_level <= len(levels) else ""


def are_prepared(session: Session) -> bool:
    """Whether every robot has its account."""
    return not _missing(session)


def prepare(session: Session, *, now: datetime) -> None:
    """Make the accounts of the robots that have none yet.

    Where a member of long ago has the very handle, the robot gets it with a mark behind.
    """
    for game, level in _missing(session):
        handle = _free_handle(session, handle_of(game.key, level))
        robot = Person(
            handle=handle,
            handle_key=handle,
            joined_at=now,
            robot_game=game.key,
            robot_level=level,
            vacation_hours_left=0,
            archive_licence=GIVES_RECORDS,
        )
        add_unless_there(session, robot)


def _free_handle(session: Session, handle: str) -> str:
    """The handle, with marks behind it where members have it; that of a robot, which another worker has just made, stays."""
    query = select(Person.handle_key).where(col(Person.robot_level) == 0, col(Person.handle_key) == handle)
    return _free_handle(session, f"{handle}-x") if session.exec(query).first() is not None else handle


def robots_of(session: Session, game: str) -> list[Person]:
    """The robots of a game, weakest first."""
    query = select(Person).where(IS_ROBOT, col(Person.robot_game) == game)
    return list(session.exec(query.order_by(col(Person.robot_level))))


def are_awake(session: Session, *, now: datetime) -> bool:
    """Whether robots can be challenged: a worker that thinks for them was there lately."""
    row = session.get(RobotWatch, 1)
    return row is not None and row.seen_at is not None and now - row.seen_at < AWAKE_FOR


def is_watch_noted(session: Session, *, now: datetime) -> bool:
    """Whether a worker has noted lately that it thinks for robots."""
    return db.value(session, WATCH_IS_NOTED, now=now, noted_after=now - NOTED_EVERY) is not None


def note_watch(session: Session, seen_at: datetime | None) -> None:
    """Note that a worker thinks for robots from now on, or, with None, that it does not.

    Several workers may begin at the same moment.
    """
    if session.get(RobotWatch, 1) is None:
        db.add_unless_there(session, RobotWatch(id=1))
    row = session.get_one(RobotWatch, 1)
    row.seen_at = seen_at
    session.add(row)
    session.flush()


def _missing(session: Session) -> list[tuple[Game, int]]:
    there = set(session.exec(select(Person.robot_game, Person.robot_level).where(IS_ROBOT)))
    wanted = [(game, level) for game in robot_games() for level in range(1, len(levels_of(game)) + 1)]
    return [(game, level) for game, level in wanted if (game.key, level) not in there]
