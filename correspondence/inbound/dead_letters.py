"""Messages that could not be read because of a mistake of ours: what there is, and trying them once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.core.tokens import masked
from correspondence.models import Inbound, InboundState


@dataclass(frozen=True, slots=True)
class Dead:
    """A message set aside: for whom, without the token, and the last line of why."""

    number: int
    at: datetime
    recipient: str
    why: str


def dead(session: Session) -> tuple[Dead, ...]:
    """The messages that were set aside, oldest first."""
    found = select(Inbound).where(col(Inbound.state) == InboundState.DEAD).order_by(col(Inbound.id))
    return tuple(_told(inbound) for inbound in session.exec(found))


def retry(session: Session, numbers: Sequence[int], *, now: datetime) -> list[int]:
    """Let these dead messages be read once more; returns those that were dead and are still kept. Others stay."""
    found = select(Inbound).where(col(Inbound.id).in_(numbers), col(Inbound.state) == InboundState.DEAD)
    found = found.where(func.length(Inbound.raw) > 0)
    revived = list(session.exec(found.order_by(col(Inbound.id)).with_for_update()))
    for inbound in revived:
        inbound.state, inbound.tries, inbound.due_at = InboundState.NEW, 0, now
        session.add(inbound)
    session.flush()
    return [inbound.id for inbound in revived]


def raw_of(session: Session, number: int) -> bytes | None:
    """What is kept of a message that was received, nothing after a month; None where there is none of that number."""
    inbound = session.get(Inbound, number)
    return inbound.raw if inbound is not None else None


def _told(inbound: Inbound) -> Dead:
    lines = inbound.reason.strip().splitlines()
    return Dead(inbound.id, inbound.received_at, masked(inbound.recipient), masked(lines[-1]) if lines else "")
