"""Dead mail: messages that failed by an error of the service, and letters not delivered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from correspondence.core.tokens import masked, without_addresses
from correspondence.models import Inbound, InboundState, Letter
from correspondence.models.mail import LETTER_HAS_FAILED


@dataclass(frozen=True, slots=True)
class DeadMessage:
    """A dead-lettered message: recipient with the token redacted, and last line of the error."""

    number: int
    at: datetime
    recipient: str
    why: str


@dataclass(frozen=True, slots=True)
class FailedLetter:
    """A letter that did not arrive, without its text and reader; `at` is when that was known.

    Of mail addresses in `why` only the domains remain.
    """

    number: int
    at: datetime
    kind: str
    match_id: int | None
    why: str


def dead_messages(session: Session, most: int | None = None, skip: int = 0) -> tuple[DeadMessage, ...]:
    """Return dead messages, oldest first: the `most` newest, without the `skip` newest."""
    query = select(Inbound.id, Inbound.received_at, Inbound.recipient, Inbound.reason)
    query = query.where(col(Inbound.state) == InboundState.DEAD).order_by(col(Inbound.id).desc())
    found = session.exec(query.limit(most).offset(skip)).all()
    return tuple(DeadMessage(number, at, masked(to), last_line(why)) for number, at, to, why in reversed(found))


def failed_letters(session: Session, most: int | None = None, skip: int = 0) -> tuple[FailedLetter, ...]:
    """Return the letters that did not arrive, oldest first; `most` and `skip` as for messages."""
    query = select(Letter).where(LETTER_HAS_FAILED).order_by(col(Letter.due_at).desc(), col(Letter.id).desc())
    query = query.options(*(defer(getattr(Letter, name)) for name in ("text", "html", "picture")))  # they may be long
    found = session.exec(query.limit(most).offset(skip)).all()
    return tuple(
        FailedLetter(
            one.id, one.due_at, one.kind, one.match_id, without_addresses(masked(one.bounce_words or one.answer))
        )
        for one in reversed(found)
    )


def count_failed(session: Session, *, since: datetime) -> int:
    """Count the letters known since then not to have arrived."""
    failed = select(func.count()).select_from(Letter).where(LETTER_HAS_FAILED, col(Letter.due_at) >= since)
    return session.exec(failed).one()


def last_line(reason: str) -> str:
    """Return the last line of an outcome, with tokens redacted; empty if there is none."""
    lines = reason.strip().splitlines()
    return masked(lines[-1]) if lines else ""
