"""Dead messages: mails that failed because of an error of ours. Listing them, and retrying them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.core.tokens import masked
from correspondence.models import Inbound, InboundState


@dataclass(frozen=True, slots=True)
class DeadMessage:
    """A message set aside as dead: its recipient with the token masked, and the last line of the error."""

    number: int
    at: datetime
    recipient: str
    why: str


def dead_messages(session: Session) -> tuple[DeadMessage, ...]:
    """Return the dead messages, oldest first."""
    query = select(Inbound).where(col(Inbound.state) == InboundState.DEAD).order_by(col(Inbound.id))
    return tuple(_dead_message(inbound) for inbound in session.exec(query))


def retry(session: Session, message_ids: Sequence[int], *, now: datetime) -> list[int]:
    """Queue these messages again if they are dead and their raw text is still stored; returns the ids of those queued."""
    query = select(Inbound).where(col(Inbound.id).in_(message_ids), col(Inbound.state) == InboundState.DEAD)
    query = query.where(func.length(Inbound.raw) > 0)
    revived = list(session.exec(query.order_by(col(Inbound.id)).with_for_update()))
    for inbound in revived:
        inbound.state, inbound.tries, inbound.due_at = InboundState.NEW, 0, now
        session.add(inbound)
    session.flush()
    return [inbound.id for inbound in revived]


def raw_of(session: Session, message_id: int) -> bytes | None:
    """Return the stored raw message (empty after 30 days); None if there is no message with this id."""
    inbound = session.get(Inbound, message_id)
    return inbound.raw if inbound is not None else None


def _dead_message(inbound: Inbound) -> DeadMessage:
    lines = inbound.reason.strip().splitlines()
    return DeadMessage(inbound.id, inbound.received_at, masked(inbound.recipient), masked(lines[-1]) if lines else "")
