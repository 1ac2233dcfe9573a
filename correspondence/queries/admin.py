"""The operator's admin page: problems, queues, failures, and unreachable members.

It reveals nothing that players wrote, nor where they live: addresses and tokens are redacted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.config import Settings
from correspondence.core.tokens import masked
from correspondence.models import Address, Inbound, InboundState, Person, RobotTurn, Suppression
from correspondence.models.robots import TURN_KEEPS_FAILING
from correspondence.outbound import refusals
from correspondence.outbound.refusals import RefusingServer
from correspondence.queries import readiness
from correspondence.queries.dead_mail import DeadMessage, FailedLetter, dead_messages, failed_letters, last_line
from correspondence.queries.metrics import measures

LISTED = 30
"""Maximum rows of each list, the newest."""


@dataclass(frozen=True, slots=True)
class RefusedMessage:
    """A refused message: its number, time, reason, and member if known."""

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
    """A suspended member; `until` is None until an operator restores them."""

    handle: str
    until: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class AdminPage:
    """The summary for operators; `problems` are English sentences, `numbers` metrics by name."""

    problems: tuple[str, ...]
    numbers: dict[str, float]
    refusing: tuple[RefusingServer, ...]
    """Domains to which sending is paused because they refused letters."""
    failing_robots: tuple[int, ...]
    """Numbers of games whose robots' searches have failed at least twice, the first LISTED."""


def admin_page(session: Session, settings: Settings, *, now: datetime) -> AdminPage:
    """Return the current admin page, without its lists."""
    problems = (*readiness.disk_problems(settings), *readiness.work_problems(session, settings, now=now))
    return AdminPage(
        problems=problems,
        numbers={measure.name: measure.value for measure in measures(session, settings, now=now)},
        refusing=tuple(refusals.resting(session, now=now)),
        failing_robots=_failing_robots(session),
    )


def set_aside_messages(session: Session, most: int, skip: int) -> tuple[DeadMessage, ...]:
    """Return dead-lettered messages, newest first."""
    return dead_messages(session, most, skip)[::-1]


def letters_that_failed(session: Session, most: int, skip: int) -> tuple[FailedLetter, ...]:
    """Return letters that did not arrive, newest first."""
    return failed_letters(session, most, skip)[::-1]


def refused(session: Session, most: int, skip: int) -> tuple[RefusedMessage, ...]:
    """Return refused messages, newest first."""
    query = (
        select(Inbound.id, Inbound.received_at, Person.handle, Inbound.reason)
        .outerjoin(Person, col(Person.id) == col(Inbound.person_id))
        .where(col(Inbound.state) == InboundState.REJECTED)
    )
    rows = session.exec(query.order_by(col(Inbound.id).desc()).limit(most).offset(skip))
    return tuple(RefusedMessage(number, at, handle or "", last_line(why)) for number, at, handle, why in rows)


def unreachable(session: Session, most: int, skip: int) -> tuple[UnreachableMember, ...]:
    """Return members whose letters are stopped, latest first."""
    query = (
        select(Person.handle, Suppression.since, Suppression.reason)
        .join(Address, col(Address.mail_key) == col(Suppression.mail_key))
        .join(Person, col(Person.id) == col(Address.person_id))
    )
    rows = session.exec(query.order_by(col(Suppression.id).desc()).limit(most).offset(skip))
    return tuple(UnreachableMember(handle, since, masked(why)) for handle, since, why in rows)


def suspended(session: Session, most: int, skip: int) -> tuple[SuspendedMember, ...]:
    """Return suspended members, latest first."""
    query = select(Person.handle, Person.suspended_until, Person.suspended_for)
    query = query.where(col(Person.suspended_at).is_not(None)).order_by(col(Person.suspended_at).desc(), col(Person.id))
    rows = session.exec(query.limit(most).offset(skip))
    return tuple(SuspendedMember(handle, until, why) for handle, until, why in rows)


def _failing_robots(session: Session) -> tuple[int, ...]:
    failing = select(RobotTurn.match_id).where(TURN_KEEPS_FAILING)
    return tuple(session.exec(failing.order_by(col(RobotTurn.match_id)).limit(LISTED)))
