"""Hourly and daily limits on letters of one kind to one mailbox.

Requests that only a From line or a public page makes can use up only part of a budget. The rest is for requests that a
token or a session proves.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, or_, select

from correspondence.core.db import NO_KEY_UPDATE
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Letter, Person
from correspondence.outbound.kinds import LetterKind


@dataclass(frozen=True, slots=True)
class LetterBudget:
    """Maximum number of letters of a kind per hour and per 24 hours.

    Unproven requests have lower limits.
    """

    kind: LetterKind
    per_hour: int
    per_day: int
    unproven_per_hour: int = 0
    unproven_per_day: int = 0

    def has_room(self, session: Session, person: Person, mail: str, *, is_proven: bool, now: datetime) -> bool:
        """Whether one more letter may go to this address; letters to the same mailbox count.

        Locks the person's row, so that concurrent requests are counted one after the other. `is_proven` means that a
        token or a session, not only a From line, identifies the requester.
        """
        session.get_one(Person, person.id, with_for_update=NO_KEY_UPDATE)
        per_hour, per_day = self.per_hour, self.per_day
        if not is_proven:
            per_hour, per_day = self.unproven_per_hour, self.unproven_per_day
        return (
            self._sent(session, person, mail, now - timedelta(hours=1)) < per_hour
            and self._sent(session, person, mail, now - timedelta(days=1)) < per_day
        )

    def _sent(self, session: Session, person: Person, mail: str, since: datetime) -> int:
        reader = or_(col(Letter.person_id) == person.id, col(Letter.mailbox) == mailbox_key(mail))
        sent = select(func.count()).select_from(Letter).where(reader, col(Letter.created_at) > since)
        return session.exec(sent.where(col(Letter.kind) == self.kind.name)).one()
