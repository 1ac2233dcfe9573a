"""Mail of members that was received and still waits to be read: it may hold the move that a claim is about."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.mime.mail_keys import mail_key
from correspondence.models import Address, Inbound
from correspondence.models.mail import MESSAGE_IS_OPEN


def waits_from(session: Session, person_ids: Collection[int], *, before: datetime) -> bool:
    """Whether mail from an address of these persons came before a moment and still waits to be read."""
    waiting = select(Inbound.sender).where(MESSAGE_IS_OPEN, col(Inbound.received_at) < before)
    senders = {mail_key(sender) for sender in session.exec(waiting)}
    if not senders:
        return False
    own = select(Address.id).where(col(Address.person_id).in_(person_ids), col(Address.mail_key).in_(senders))
    return session.exec(own.limit(1)).first() is not None
