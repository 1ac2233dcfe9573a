"""What monitoring is told of the service in numbers: queues, how late they are, games, members, the disk.

Numbers alone: nothing here names a person, an address or a game.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.core.config import Settings
from correspondence.models import Heartbeat, Inbound, Letter, Match, Person, RobotTurn, Seek, StrangerAnswer
from correspondence.models.mail import LETTER_IS_HELD, LETTER_IS_OPEN, MESSAGE_IS_OPEN, MESSAGE_WAS_DROPPED
from correspondence.models.matches import MATCH_HAS_CLOCK
from correspondence.models.matchmaking import SEEK_EXPIRES
from correspondence.models.robots import TURN_IS_DUE, TURN_KEEPS_FAILING
from correspondence.outbound import refusals
from correspondence.queries import dead_mail


class Measure(NamedTuple):
    """One number: its name, as Prometheus wants names, what it means, and its value; ages are in seconds."""

    name: str
    meaning: str
    value: float


def _count(row: Any, *conditions: Any) -> Any:
    return select(func.count()).select_from(row).where(*conditions)


_COUNTS = {
    "letters_waiting": ("Letters that have still to leave.", _count(Letter, LETTER_IS_OPEN)),
    "letters_held": ("Letters that wait for a digest.", _count(Letter, LETTER_IS_HELD)),
    "messages_waiting": ("Messages that are still to be read.", _count(Inbound, MESSAGE_IS_OPEN)),
    "games_running": ("Games in which somebody's clock runs.", _count(Match, MATCH_HAS_CLOCK)),
    "seeks_open": ("Open seeks that end by themselves.", _count(Seek, SEEK_EXPIRES)),
    "robot_turns_waiting": ("Moves that robots are to make.", _count(RobotTurn, TURN_IS_DUE)),
    "robot_turns_failing": (
        "Moves of robots whose search has failed at least twice.", _count(RobotTurn, TURN_KEEPS_FAILING)
    ),
    "members": (
        "Members who have not left; no robots.", _count(Person, col(Person.departed_at).is_(None), col(Person.robot_level) == 0)
    ),
}  # fmt: skip


def _oldest(column: Any, condition: Any) -> Any:
    return select(column).where(condition).order_by(column).limit(1)


_OLDEST = {
    "letters_late_seconds": (
        "For how long the letter that waits longest is due.",
        _oldest(Letter.due_at, LETTER_IS_OPEN),
    ),
    "messages_late_seconds": (
        "For how long the message that waits longest is due.",
        _oldest(Inbound.due_at, MESSAGE_IS_OPEN),
    ),
    "deadlines_late_seconds": (
        "For how long a game waits for the end of its time.",
        _oldest(Match.deadline, MATCH_HAS_CLOCK),
    ),
    "robot_turns_late_seconds": ("For how long a move of a robot is due.", _oldest(RobotTurn.due_at, TURN_IS_DUE)),
}

_BEAT = select(Heartbeat.at).where(col(Heartbeat.id) == 1)


def measures(session: Session, settings: Settings, *, now: datetime) -> Iterator[Measure]:
    """Every number, in an order that stays; what nothing is known of, such as a worker that never ran, is left out."""
    for name, (meaning, count) in _COUNTS.items():
        yield Measure(name, meaning, db.value(session, count))
    for name, (meaning, oldest) in _OLDEST.items():
        yield Measure(name, meaning, _age(db.value(session, oldest), now))
    day_ago = now - timedelta(days=1)
    failed = dead_mail.count_failed(session, since=day_ago)
    yield Measure("letters_failed", "Letters that did not arrive, known within a day.", failed)
    is_stopped = refusals.holding_up(session) is not None
    yield Measure("letters_refused", "1 while our mail server takes no letters at all, else 0.", float(is_stopped))
    resting = len(refusals.resting(session, now=now))
    yield Measure("domains_refusing", "Domains that rest because they refuse our letters.", resting)
    answered = db.value(session, _count(StrangerAnswer, col(StrangerAnswer.at) > day_ago))
    yield Measure("strangers_answered", "Answers to people without an account within a day.", answered)
    dropped = db.value(session, _count(Inbound, col(Inbound.received_at) > day_ago, MESSAGE_WAS_DROPPED))
    yield Measure("strangers_dropped", "Messages of people without an account dropped within a day.", dropped)
    beat = db.value(session, _BEAT)
    if beat is not None:
        yield Measure("worker_beat_age_seconds", "How long ago a worker was last there.", _age(beat, now))
    usage = shutil.disk_usage(settings.instance)
    yield Measure("disk_free_bytes", "Free bytes on the disk of the instance folder.", usage.free)
    yield Measure("disk_size_bytes", "All bytes of that disk.", usage.total)


def _age(moment: datetime | None, now: datetime) -> float:
    return 0.0 if moment is None else max((now - moment) / timedelta(seconds=1), 0.0)
