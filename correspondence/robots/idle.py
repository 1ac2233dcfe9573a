"""Whether robots have anything to do: one statement, as for the other sweeps (`ops/due.py`)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import or_
from sqlalchemy import select as select_values
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.core import db
from correspondence.robots import offers_to_robots, review_turns, robot_turns
from engines import GAMES

_IS_ANYTHING_DUE = select_values(
    or_(
        ~robots.WATCH_IS_NOTED.exists(),
        offers_to_robots.OFFERED.exists(),
        robot_turns.UNNOTED.exists(),
        robot_turns.DUE.exists(),
        review_turns.DUE.exists(),
    )
)


def is_idle(session: Session, *, now: datetime) -> bool:
    """Whether no turn, offer or second opinion waits for a robot, and its worker has noted lately that it is there."""
    noted_after = now - robots.NOTED_EVERY
    return not db.value(session, _IS_ANYTHING_DUE, now=now, noted_after=noted_after, games=list(GAMES))
