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


def dead_messages(session: Session) -> tuple[DeadMessage, ...]:
    """Return the dead messages, oldest first."""
    query = select(Inbound).where(col(Inbound.state) == InboundState.DEAD).order_by(col(Inbound.id))
    return tuple(_dead_message(inbound) for inbound in session.exec(query))


def dead_letters(session: Session) -> tuple[DeadLetter, ...]:
    """Return the letters that were set aside for their lost leases, oldest first."""
    found = session.exec(select(Letter).where(*IS_DEAD_LETTER).order_by(col(Letter.id)))
    return tuple(DeadLetter(letter.id, letter.created_at, letter.kind, letter.match_id) for letter in found)


def _dead_message(inbound: Inbound) -> DeadMessage:
    lines = inbound.reason.strip().splitlines()
    return DeadMessage(inbound.id, inbound.received_at, masked(inbound.recipient), masked(lines[-1]) if lines else "")
