"""The queue of incoming messages: each is stored once, leased by one worker at a time, and dead after some failures.

A failure is a try that raised. A lease that ran out is none, because a worker that is killed says nothing about the
message that it held. Both are counted, each by itself.
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
"""How long a worker holds a message."""

CLAIMED = 10
"""Most messages that a worker leases together; it must be able to process them before their lease ends."""

MOST_TRIES = 3
"""After this many failures a message is set aside as dead, for the operator to look at."""

MOST_LOST_LEASES = 10
"""After this many leases that ran out a message is taken for what ends its workers, and is set aside too."""

LAST_LEASES = 3
"""How often setting such a message aside is begun; if its worker ends then too, nobody is told of it by mail."""

CUT_OFF = "its worker ended ten times while it was read"
"""The reason noted at a message that was set aside for its lost leases."""

RAW_KEPT = timedelta(days=30)
"""How long the raw message is stored; the row with its outcome stays."""

DUE = select(Inbound.id, Inbound.tries, Inbound.lost_leases, Inbound.state).where(
    MESSAGE_IS_OPEN, col(Inbound.due_at) <= bindparam("now")
)
"""The messages that wait to be read `now`; one that is taken has lost its worker."""

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
"""Keeps a message for one recipient, unless it is kept already."""

_OF_NUMBER = update(Inbound).where(col(Inbound.id) == bindparam("number"))

_LEASE = _OF_NUMBER.values(state=InboundState.TAKEN)

_SET_ASIDE = _OF_NUMBER.values(state=InboundState.DEAD, reason=CUT_OFF, is_untold=True)
"""What `close` does to a message that is dead."""


def store_message(engine: Engine, raw: bytes, recipient: str, sender: str, *, now: datetime) -> None:
    """Store a message for one recipient, unless it is stored already; committed on return."""
    key, mailbox = classify.message_key(raw)[:200], mail_key(recipient)[:320]
    kept = {"message_key": key, "recipient": mailbox, "sender": sender[:320], "raw": raw}
    with engine.begin() as connection:
        connection.execute(_KEEP, {**kept, "received_at": now, "due_at": now})
        notify(connection)


class ClaimedMessages(NamedTuple):
    """The messages that were leased, and whether more may be due."""

    numbers: list[int]
    may_be_more: bool


def claim(engine: Engine, now: datetime) -> ClaimedMessages:
    """Lease the most overdue messages, in one commit, which does not wait for the disk.

    A message whose try has failed or was cut short is leased alone, so that one which kills its worker takes no others
    with it. One that has lost its leases again and again, even while it was set aside, is closed as dead first, so that
    the caller has nothing to do for it.
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
    """Record why a leased message failed; it is due again after LEASE, or dead after MOST_TRIES. Whether it is dead."""
    inbound.tries += 1
    inbound.due_at = now + LEASE
    is_dead = inbound.tries >= MOST_TRIES
    close(session, inbound, InboundState.DEAD if is_dead else InboundState.NEW, why[-4000:])
    return is_dead


def close(session: Session, inbound: Inbound, state: InboundState, reason: str) -> None:
    """Close a message with this state and the reason shown in the mail log.

    Its attachments are dropped, unless it may be read again; if it is dead, the operator is to be told of it.
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
"""Counted too, or a database would go through all messages in their order for the first one that waits."""


def read_until(session: Session, *, now: datetime) -> datetime:
    """Up to when all mail that has come is read: `now`, or when the earliest message came that still waits."""
    ((first, count),) = rows(session, _FIRST_UNREAD)
    return min(first, now) if count else now


def drop_old(session: Session, most: int, *, now: datetime) -> int:
    """Drop the raw text of up to `most` closed messages older than RAW_KEPT; returns how many."""
    numbers = [number for (number,) in rows(session, _OLD, before=now - RAW_KEPT, most=most)]
    if numbers:
        session.execute(update(Inbound).where(col(Inbound.id).in_(numbers)).values(raw=b""))
    return len(numbers)
