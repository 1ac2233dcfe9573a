"""Accounts of robots, one for each game and level, and whether a robot worker is running."""

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
"""The archive licence of robots: their opponents decide whether a game is published."""

AWAKE_FOR = timedelta(days=1)
"""Time for which robots can be challenged after the last heartbeat of a robot worker."""

NOTED_EVERY = timedelta(minutes=10)
"""Interval at which a robot worker records its heartbeat."""


WATCH_IS_NOTED = select(RobotWatch.id).where(
    col(RobotWatch.seen_at) > bindparam("noted_after"), col(RobotWatch.seen_at) <= bindparam("now")
)
"""Query: whether a robot worker's heartbeat is between `noted_after` and `now`."""


def robot_games() -> tuple[Game, ...]:
    """Return the games that robots play: two seats and an evaluation (`Game.judge`)."""
    return tuple(game for game in GAMES.values() if len(game.seats) == 2 and game.judge is not None)


def level_name(person: Person) -> str:
    """Return the name of a robot's level, such as “Club player”.

    Empty for people, and if the robot's game is not installed.
    """
    levels = levels_of(GAMES[person.robot_game]) if person.robot_game in GAMES else ()
    return _(levels[person.robot_level - 1].name) if 0 < person.robot_level <= len(levels) else ""


def are_prepared(session: Session) -> bool:
    """Whether every robot has its account."""
    return not _missing(session)


def prepare(session: Session, *, now: datetime) -> None:
    """Create the missing robot accounts.

    If an older member has a robot's handle, the robot's handle gets a suffix.
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
    """Return the handle, with suffixes while a human member has it.

    If a robot has the handle, it is unchanged, because another worker may just have created the account.
    """
    query = select(Person.handle_key).where(col(Person.robot_level) == 0, col(Person.handle_key) == handle)
    return _free_handle(session, f"{handle}-x") if session.exec(query).first() is not None else handle


def robots_of(session: Session, game: str) -> list[Person]:
    """Return the robots of a game, weakest first."""
    query = select(Person).where(IS_ROBOT, col(Person.robot_game) == game)
    return list(session.exec(query.order_by(col(Person.robot_level))))


def are_awake(session: Session, *, now: datetime) -> bool:
    """Whether robots can be challenged: a robot worker was active within `AWAKE_FOR`."""
    row = session.get(RobotWatch, 1)
    return row is not None and row.seen_at is not None and now - row.seen_at < AWAKE_FOR


def is_watch_noted(session: Session, *, now: datetime) -> bool:
    """Whether a robot worker recorded a heartbeat within `NOTED_EVERY`."""
    return db.value(session, WATCH_IS_NOTED, now=now, noted_after=now - NOTED_EVERY) is not None


def note_watch(session: Session, seen_at: datetime | None) -> None:
    """Store when a robot worker was last active; None if it has stopped.

    Several workers may call this at the same time.
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
