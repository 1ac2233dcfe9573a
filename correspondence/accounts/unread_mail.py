"""Members' received mail that is not processed yet.

It may contain the move that prevents a claim of a win on time.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.mime.mail_keys import mail_key
from correspondence.models import Address, Inbound
from correspondence.models.mail import MESSAGE_IS_OPEN


def waits_from(session: Session, person_ids: Collection[int], *, before: datetime) -> bool:
    """Whether unprocessed mail from these persons was received before `before`."""
    waiting = select(Inbound.sender).where(MESSAGE_IS_OPEN, col(Inbound.received_at) < before)
    senders = {mail_key(sender) for sender in session.exec(waiting)}
    if not senders:
        return False
    own = select(Address.id).where(col(Address.person_id).in_(person_ids), col(Address.mail_key).in_(senders))
    return session.exec(own.limit(1)).first() is not None
