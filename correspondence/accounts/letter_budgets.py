"""How many letters of a kind one mailbox gets in an hour and a day when anybody can ask for them.

A From line, or a page that anybody can open, uses up half of a budget at most. The rest is for requests that a token or a
session vouches for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, or_, select

from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Letter, Person
from correspondence.outbound.kinds import LetterKind


@dataclass(frozen=True, slots=True)
class LetterBudget:
    """Most letters of a kind in an hour and in 24 hours."""

    kind: LetterKind
    per_hour: int
    per_day: int

    def has_room(self, session: Session, person: Person, mail: str, *, is_proven: bool, now: datetime) -> bool:
        """Whether one more letter may go to this address of a person; letters to the same mailbox count together.

        `is_proven`: a token or a session says that the person asks for it.
        """
        limits = ((timedelta(hours=1), self.per_hour), (timedelta(days=1), self.per_day))
        return all(
            self._sent(session, person, mail, now - span) < (most if is_proven else (most + 1) // 2)
            for span, most in limits
        )

    def _sent(self, session: Session, person: Person, mail: str, since: datetime) -> int:
        reader = or_(col(Letter.person_id) == person.id, col(Letter.mailbox) == mailbox_key(mail))
        sent = select(func.count()).select_from(Letter).where(reader, col(Letter.created_at) > since)
        return session.exec(sent.where(col(Letter.kind) == self.kind.name)).one()
