"""The queue of incoming messages: each is stored once, leased by one worker at a time, and dead after some tries."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from sqlalchemy import Engine, bindparam, exists, insert, update
from sqlmodel import Session, col, select

from correspondence.core.db import rows, transaction, value
from correspondence.mime.classify import mail_key, message_key
from correspondence.mime.replytext import without_attachments
from correspondence.models import Inbound, InboundState
from correspondence.models.mail import MESSAGE_HAS_WORDS, MESSAGE_IS_OPEN

LEASE = timedelta(minutes=2)
"""How long a worker holds a message."""

CLAIMED = 10
"""Most messages that a worker leases together; it must be able to process them before their lease ends."""

MOST_TRIES = 3
"""After this many failures a message is set aside as dead, for the operator to look at."""

RAW_KEPT = timedelta(days=30)
"""How long the raw message is stored; the row with its outcome stays."""

_IS_STORED = select(
    exists().where(col(Inbound.message_key) == bindparam("key"), col(Inbound.recipient) == bindparam("box"))
)

DUE = select(Inbound.id, Inbound.tries).where(MESSAGE_IS_OPEN, col(Inbound.due_at) <= bindparam("now"))
"""The messages that wait to be read `now`."""

_NEXT = DUE.order_by(col(Inbound.due_at), col(Inbound.id)).limit(CLAIMED).with_for_update(skip_locked=True)

_OLD = (
    select(Inbound.id)
    .where(MESSAGE_HAS_WORDS, col(Inbound.received_at) <= bindparam("before"))
    .where(col(Inbound.state).not_in([InboundState.NEW, InboundState.TAKEN]))
    .order_by(col(Inbound.received_at))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)

_KEEP = insert(Inbound).values(state=InboundState.NEW, reason="", tries=0)

_LEASE = update(Inbound).where(col(Inbound.id) == bindparam("number")).values(state=InboundState.TAKEN)


def store_message(engine: Engine, raw: bytes, recipient: str, sender: str, *, now: datetime) -> None:
    """Store a message for one recipient, unless it is stored already; committed on return."""
    key, mailbox = message_key(raw)[:200], mail_key(recipient)[:320]
    with transaction(engine) as session:
        if not value(session, _IS_STORED, key=key, box=mailbox):
            kept = {"message_key": key, "recipient": mailbox, "sender": sender[:320], "raw": raw}
            session.connection().execute(_KEEP, {**kept, "received_at": now, "due_at": now})


class Claim(NamedTuple):
    """The messages that were leased, and whether more may be due."""

    numbers: list[int]
    may_be_more: bool


def claim(engine: Engine, now: datetime) -> Claim:
    """Lease the most overdue messages, in one commit.

    A message whose try has failed or was cut short is leased alone, so that one which kills its worker takes no others
    with it. One that has used up its tries is closed as dead first, so that the caller has nothing to do for it.
    """
    with transaction(engine) as session:
        due = rows(session, _NEXT, now=now)
        leased = list(takewhile(lambda message: not message.tries, due)) or due[:1]
        for number, tries in leased:
            session.connection().execute(_LEASE, {"number": number, "due_at": now + LEASE, "tries": tries + 1})
            if tries >= MOST_TRIES:
                inbound = session.get_one(Inbound, number)
                close(session, inbound, InboundState.DEAD, inbound.reason or "its worker died three times")
    return Claim([number for number, _tries in leased], may_be_more=len(leased) < len(due) or len(due) == CLAIMED)


def fail(session: Session, message_id: int, now: datetime, why: str) -> None:
    """Record why a message failed; it is due again after LEASE, or dead after MOST_TRIES."""
    inbound = session.get_one(Inbound, message_id)
    inbound.reason = why[-4000:]
    if inbound.tries >= MOST_TRIES:
        inbound.state = InboundState.DEAD
    inbound.due_at = now + LEASE
    session.add(inbound)


def close(session: Session, inbound: Inbound, state: InboundState, reason: str) -> None:
    """Close a message with this state and the reason shown in the mail log.

    Its attachments are dropped, unless it is dead and may be retried.
    """
    inbound.state, inbound.reason = state, reason
    if state != InboundState.DEAD:
        inbound.raw = without_attachments(inbound.raw)
    session.add(inbound)
    session.flush()


def drop_old(session: Session, most: int, *, now: datetime) -> int:
    """Drop the raw text of up to `most` closed messages older than RAW_KEPT; returns how many."""
    numbers = [number for (number,) in rows(session, _OLD, before=now - RAW_KEPT, most=most)]
    if numbers:
        session.execute(update(Inbound).where(col(Inbound.id).in_(numbers)).values(raw=b""))
    return len(numbers)
