"""Queue of incoming messages: stored once, leased by one worker at a time, then closed.

A message is dead after several failed attempts. An attempt fails if it raises. An expired lease does not count as a
failed attempt, because a killed worker says nothing about its message. Both are counted separately.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy import Engine, bindparam, exists, insert, update
from sqlalchemy import select as select_values
from sqlmodel import Session, col, func, select

from correspondence.core import counting
from correspondence.core.db import rows, unsynced
from correspondence.core.news import notify
from correspondence.mime import classify, replytext
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Inbound, InboundState
from correspondence.models.mail import DROPPED, MESSAGE_HAS_WORDS, MESSAGE_IS_OPEN

LEASE = timedelta(minutes=2)
"""Length of a lease."""

CLAIMED = 10
"""Maximum messages that a worker leases at once; all must be processed within a lease."""

MOST_TRIES = 3
"""Maximum failed attempts before a message is dead-lettered for the operator."""

MOST_LOST_LEASES = 10
"""Maximum lost leases before a message is assumed to crash its worker and dead-lettered."""

LAST_LEASES = 3
"""Maximum attempts to dead-letter such a message with a notice to its author."""

CUT_OFF = "its worker ended ten times while it was read"
"""The reason recorded for a message with too many lost leases."""

RAW_KEPT = timedelta(days=30)
"""Retention of the raw message; the row with its outcome stays."""

DUE = select(Inbound.id, Inbound.tries, Inbound.lost_leases, Inbound.state).where(
    MESSAGE_IS_OPEN, col(Inbound.due_at) <= bindparam("now")
)
"""Query of messages due at `now`; one in state TAKEN has lost its worker."""

_NEXT = DUE.order_by(col(Inbound.due_at), col(Inbound.id)).limit(CLAIMED).with_for_update(skip_locked=True)

_OLD = (
    select(Inbound.id)
    .where(MESSAGE_HAS_WORDS, col(Inbound.received_at) <= bindparam("before"))
    .where(col(Inbound.state).not_in([InboundState.NEW, InboundState.TAKEN]))
    .order_by(col(Inbound.received_at))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)

_GIVEN = ("message_key", "recipient", "sender", "raw", "received_at", "due_at")

_KEEP = insert(Inbound).from_select(
    _GIVEN,
    select_values(*(bindparam(name, type_=getattr(Inbound, name).type) for name in _GIVEN)).where(
        ~exists().where(
            col(Inbound.message_key) == bindparam("message_key"), col(Inbound.recipient) == bindparam("recipient")
        )
    ),
)
"""Statement that inserts a message for one recipient, unless it exists."""

_OF_NUMBER = update(Inbound).where(col(Inbound.id) == bindparam("number"))

_LEASE = _OF_NUMBER.values(state=InboundState.TAKEN)

_SET_ASIDE = _OF_NUMBER.values(state=InboundState.DEAD, reason=CUT_OFF, is_untold=True)
"""Update that dead-letters a message, as `close` does."""


def store_message(engine: Engine, raw: bytes, recipient: str, sender: str, *, now: datetime) -> None:
    """Store and commit a message for one recipient, unless it exists."""
    key, mailbox = classify.message_key(raw)[:200], mail_key(recipient)[:320]
    kept = {"message_key": key, "recipient": mailbox, "sender": sender[:320], "raw": raw}
    with engine.begin() as connection:
        connection.execute(_KEEP, {**kept, "received_at": now, "due_at": now})
        notify(connection)


class ClaimedMessages(NamedTuple):
    """The leased messages, and whether more may be due."""

    numbers: list[int]
    may_be_more: bool


def claim(engine: Engine, now: datetime) -> ClaimedMessages:
    """Lease the most overdue messages, in one commit that does not wait for the disk.

    A message with a failed attempt or lost lease is leased alone, so that a message that crashes its worker takes no
    others with it. One that has lost MOST_LOST_LEASES + LAST_LEASES is closed as dead first, so the caller need not
    process it.
    """
    with unsynced(engine) as connection:
        due = connection.execute(_NEXT, {"now": now}).all()
        leased = list(takewhile(_is_fresh, due)) or due[:1]
        for number, _tries, lost_leases, state in leased:
            lost = lost_leases + (state == InboundState.TAKEN)
            connection.execute(_LEASE, {"number": number, "due_at": now + LEASE, "lost_leases": lost})
            if lost >= MOST_LOST_LEASES + LAST_LEASES:
                connection.execute(_SET_ASIDE, {"number": number})
                counting.count_now(engine, "messages", InboundState.DEAD)
    return ClaimedMessages(
        [message.id for message in leased], may_be_more=len(leased) < len(due) or len(due) == CLAIMED
    )


def _is_fresh(message: Any) -> bool:
    return message.state == InboundState.NEW and not message.tries and not message.lost_leases


def fail(session: Session, inbound: Inbound, now: datetime, why: str) -> bool:
    """Record a failed attempt and schedule a retry; return whether the message is now dead."""
    inbound.tries += 1
    inbound.due_at = now + LEASE
    is_dead = inbound.tries >= MOST_TRIES
    close(session, inbound, InboundState.DEAD if is_dead else InboundState.NEW, why[-4000:])
    return is_dead


def close(session: Session, inbound: Inbound, state: InboundState, reason: str) -> None:
    """Close a message with this state and the reason shown in the mail log.

    Its attachments are dropped, unless it may be processed again. If it is dead, the operator will be notified.
    """
    inbound.state, inbound.reason = state, reason
    inbound.is_untold = state == InboundState.DEAD
    if state not in (InboundState.DEAD, InboundState.NEW):
        inbound.raw = replytext.without_attachments(inbound.raw)
    session.add(inbound)
    session.flush()
    is_dropped = reason.startswith(DROPPED)
    counting.count(session, "messages", "dropped" if is_dropped else "retried" if state == InboundState.NEW else state)


_FIRST_UNREAD = select(func.min(Inbound.received_at), func.count()).where(MESSAGE_IS_OPEN)
"""Query for the oldest open message; the count keeps the database from scanning by time."""


def read_until(session: Session, *, now: datetime) -> datetime:
    """Return the time up to which all mail is read: the oldest waiting arrival, or `now`."""
    ((first, count),) = rows(session, _FIRST_UNREAD)
    return min(first, now) if count else now


def drop_old(session: Session, most: int, *, now: datetime) -> int:
    """Delete raw texts of up to `most` closed messages older than RAW_KEPT; return the number."""
    numbers = [number for (number,) in rows(session, _OLD, before=now - RAW_KEPT, most=most)]
    if numbers:
        session.execute(update(Inbound).where(col(Inbound.id).in_(numbers)).values(raw=b""))
    return len(numbers)
