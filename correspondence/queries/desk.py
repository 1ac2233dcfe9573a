"""The operator's desk: what keeps the service from its work, what waits, what went wrong, and whom letters do not reach.

Nothing here tells what players wrote to one another or to us, or where they live: addresses and tokens are masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.config import Settings
from correspondence.core.tokens import masked
from correspondence.models import Address, Inbound, InboundState, Person, RobotTurn, Suppression
from correspondence.models.robots import TURN_KEEPS_FAILING
from correspondence.queries import readiness
from correspondence.queries.dead_mail import DeadLetter, DeadMessage, dead_letters, dead_messages, last_line
from correspondence.queries.metrics import measures

LISTED = 30
"""How many rows of each kind the desk shows, the newest."""


@dataclass(frozen=True, slots=True)
class RefusedMessage:
    """A message that was refused: its number, when it came, from which member if from one, and why."""

    number: int
    at: datetime
    handle: str
    why: str


@dataclass(frozen=True, slots=True)
class UnreachableMember:
    """A member whose letters are stopped, since when and why."""

    handle: str
    since: datetime
    why: str


@dataclass(frozen=True, slots=True)
class SuspendedMember:
    """A member whom an operator suspended: until when, None for until restored, and why."""

    handle: str
    until: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What an operator sees. `problems` are English sentences; `numbers` are those for monitoring, by name."""

    problems: tuple[str, ...]
    numbers: dict[str, float]
    dead_messages: tuple[DeadMessage, ...]
    dead_letters: tuple[DeadLetter, ...]
    refused: tuple[RefusedMessage, ...]
    unreachable: tuple[UnreachableMember, ...]
    suspended: tuple[SuspendedMember, ...]
    failing_robots: tuple[int, ...]
    """The games (numbers) whose robots' searches have failed at least twice."""


def desk(session: Session, settings: Settings, *, now: datetime) -> Desk:
    """The desk as it looks now."""
    problems = (*readiness.disk_problems(settings), *readiness.work_problems(session, settings, now=now))
    return Desk(
        problems=problems,
        numbers={measure.name: measure.value for measure in measures(session, settings, now=now)},
        dead_messages=dead_messages(session, LISTED),
        dead_letters=dead_letters(session, LISTED),
        refused=_refused(session),
        unreachable=_unreachable(session),
        suspended=_suspended(session),
        failing_robots=_failing_robots(session),
    )


def _refused(session: Session) -> tuple[RefusedMessage, ...]:
    query = (
        select(Inbound.id, Inbound.received_at, Person.handle, Inbound.reason)
        .outerjoin(Person, col(Person.id) == col(Inbound.person_id))
        .where(col(Inbound.state) == InboundState.REJECTED)
    )
    rows = session.exec(query.order_by(col(Inbound.id).desc()).limit(LISTED))
    return tuple(RefusedMessage(number, at, handle or "", last_line(why)) for number, at, handle, why in rows)


def _unreachable(session: Session) -> tuple[UnreachableMember, ...]:
    query = (
        select(Person.handle, Suppression.since, Suppression.reason)
        .join(Address, col(Address.mail_key) == col(Suppression.mail_key))
        .join(Person, col(Person.id) == col(Address.person_id))
    )
    rows = session.exec(query.order_by(col(Suppression.id).desc()).limit(LISTED))
    return tuple(UnreachableMember(handle, since, masked(why)) for handle, since, why in rows)


def _suspended(session: Session) -> tuple[SuspendedMember, ...]:
    query = select(Person.handle, Person.suspended_until, Person.suspended_for)
    query = query.where(col(Person.suspended_at).is_not(None)).order_by(col(Person.suspended_at).desc())
    return tuple(SuspendedMember(handle, until, why) for handle, until, why in session.exec(query.limit(LISTED)))


def _failing_robots(session: Session) -> tuple[int, ...]:
    failing = select(RobotTurn.match_id).where(TURN_KEEPS_FAILING)
    return tuple(session.exec(failing.order_by(col(RobotTurn.match_id)).limit(LISTED)))
