"""Whether robots have work, by a single query like those of other sweeps (`ops/due.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, or_
from sqlalchemy import select as select_values
from sqlmodel import Session, select

from correspondence.accounts import robots
from correspondence.core import db
from correspondence.models import ServiceState
from correspondence.models.operations import READ_ONLY
from correspondence.robots import exercise_turns, offers_to_robots, robot_turns
from correspondence.robots.spare_work import SpareWork
from engines import GAMES

_MAY_PLAY = ~select(ServiceState.id).where(READ_ONLY).exists()

_ANY = or_(
    ~robots.WATCH_IS_NOTED.exists(),
    offers_to_robots.OFFERED.exists(),
    robot_turns.UNNOTED.exists(),
    robot_turns.DUE.exists(),
)


def is_idle(session: Session, *, now: datetime, work: Sequence[SpareWork] = (), seeks_exercises: bool = False) -> bool:
    """Whether no turn, offer or spare work of these kinds waits for a robot.

    False without a recent heartbeat of the robot worker. Robots pause while the service is read-only. A worker that
    `seeks_exercises` is not idle while finished games remain to be searched for them.
    """
    spare = [one.DUE.exists() for one in work]
    sought = [~exercise_turns.RESTS.exists()] if seeks_exercises else []
    question = select_values(and_(_MAY_PLAY, or_(_ANY, *spare, *sought)))
    return not db.value(session, question, now=now, noted_after=now - robots.NOTED_EVERY, games=list(GAMES))
