"""Messages as rows: kept once, taken by one worker at a time for a short while, and set aside after some tries."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Engine, bindparam, exists
from sqlmodel import Session, col, func, select

from correspondence.core.db import transaction
from correspondence.mime.classify import mail_key, message_key
from correspondence.mime.replytext import without_attachments
from correspondence.models import Inbound, InboundState

LEASE = timedelta(minutes=2)
"""How long one worker may keep a message to itself."""

MOST_TRIES = 3
"""After so many failures a message is set aside as dead, to be looked at by a person."""

RAW_KEPT = timedelta(days=30)
"""How long the words of a message are kept; that it came, and what came of it, is kept with what it was about."""

_KEPT = select(exists().where(col(Inbound.message_key) == bindparam("key"), col(Inbound.recipient) == bindparam("box")))

_DUE = (
    select(Inbound)
    .where(col(Inbound.state).in_([InboundState.NEW, InboundState.TAKEN]), col(Inbound.due_at) <= bindparam("now"))
    .order_by(col(Inbound.due_at), col(Inbound.id))
    .limit(1)
    .with_for_update(skip_locked=True)
)


def keep(engine: Engine, raw: bytes, recipient: str, sender: str, *, now: datetime) -> None:
    """Keep a message for one recipient, once; committed when this returns."""
    key, box = message_key(raw)[:200], mail_key(recipient)[:320]
    with transaction(engine) as session:
        if not session.exec(_KEPT, params={"key": key, "box": box}).one():
            session.add(
                Inbound(message_key=key, recipient=box, sender=sender[:320], raw=raw, received_at=now, due_at=now)
            )


def claim(engine: Engine, now: datetime) -> int | None:
    """Take the next message that is due for as long as the lease lasts; its number, or None where nothing is due.

    One that has had its tries is closed as dead first, and there is nothing left to do for it.
    """
    with transaction(engine) as session:
        inbound = session.exec(_DUE, params={"now": now}).first()
        if inbound is None:
            return None
        inbound.state, inbound.due_at = InboundState.TAKEN, now + LEASE
        inbound.tries += 1
        if inbound.tries > MOST_TRIES:
            close(session, inbound, InboundState.DEAD, inbound.reason or "its worker died three times")
        return inbound.id


def fail(session: Session, number: int, now: datetime, why: str) -> None:
    """Note why a message failed; it is due again after the lease, or dead when it has had its tries."""
    inbound = session.get_one(Inbound, number)
    inbound.reason = why[-4000:]
    if inbound.tries >= MOST_TRIES:
        inbound.state = InboundState.DEAD
    inbound.due_at = now + LEASE
    session.add(inbound)


def close(session: Session, inbound: Inbound, state: InboundState, reason: str) -> None:
    """End a message in this state, with the reason that the log of mail and the operator read.

    Its attachments are dropped, unless it is set aside to be read once more.
    """
    inbound.state, inbound.reason = state, reason
    if state != InboundState.DEAD:
        inbound.raw = without_attachments(inbound.raw)
    session.add(inbound)
    session.flush()


def drop_old(session: Session, most: int, *, now: datetime) -> int:
    """Drop the words of at most so many messages that came long ago and are not being read; returns of how many."""
    old = (
        select(Inbound)
        .where(func.length(Inbound.raw) > 0, col(Inbound.received_at) <= now - RAW_KEPT)
        .where(col(Inbound.state).not_in([InboundState.NEW, InboundState.TAKEN]))
        .order_by(col(Inbound.received_at))
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    messages = session.exec(old).all()
    for inbound in messages:
        inbound.raw = b""
        session.add(inbound)
    return len(messages)
