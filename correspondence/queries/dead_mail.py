"""Mail that was set aside: messages that failed because of an error of ours, letters that lost too many leases."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.tokens import masked
from correspondence.models import Inbound, InboundState, Letter
from correspondence.outbound.outbox import IS_DEAD_LETTER


@dataclass(frozen=True, slots=True)
class DeadMessage:
    """A message set aside as dead: its recipient with the token masked, and the last line of the error."""

    number: int
    at: datetime
    recipient: str
    why: str


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A letter set aside for its lost leases: its kind and its game instead of its words and its reader."""

    number: int
    at: datetime
    kind: str
    match_id: int | None


def dead_messages(session: Session, most: int | None = None, skip: int = 0) -> tuple[DeadMessage, ...]:
    """Return the dead messages, oldest first; with `most`, so many of the newest, after the newest `skip`."""
    query = select(Inbound.id, Inbound.received_at, Inbound.recipient, Inbound.reason)
    query = query.where(col(Inbound.state) == InboundState.DEAD).order_by(col(Inbound.id).desc())
    found = session.exec(query.limit(most).offset(skip)).all()
    return tuple(DeadMessage(number, at, masked(to), last_line(why)) for number, at, to, why in reversed(found))


def dead_letters(session: Session, most: int | None = None, skip: int = 0) -> tuple[DeadLetter, ...]:
    """Return the letters that were set aside for their lost leases, oldest first; `most` and `skip` as above."""
    query = select(Letter.id, Letter.created_at, Letter.kind, Letter.match_id)
    query = query.where(*IS_DEAD_LETTER).order_by(col(Letter.id).desc())
    found = session.exec(query.limit(most).offset(skip)).all()
    return tuple(DeadLetter(*row) for row in reversed(found))


def last_line(reason: str) -> str:
    """The last line of an outcome, with tokens masked: of a traceback the error itself; empty for none."""
    lines = reason.strip().splitlines()
    return masked(lines[-1]) if lines else ""
