"""Shared rules of letters to the operator: one of each kind a day, with row numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.core.db import value
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Letter
from correspondence.outbound.kinds import LetterKind

EVERY = timedelta(days=1)
"""Minimum interval between two letters of the same kind."""

SHOWN = 30
"""Maximum number of row numbers of each kind in such a letter."""


def was_told_lately(session: Session, operator: str, kind: LetterKind, *, now: datetime) -> bool:
    """Whether a letter of this kind was written to the operator within a day."""
    query = select(Letter.id).where(
        col(Letter.mailbox) == mailbox_key(operator),
        col(Letter.created_at) > now - EVERY,
        col(Letter.kind) == kind.name,
    )
    return value(session, query.limit(1)) is not None


def last_told(session: Session, operator: str, kind: LetterKind) -> datetime | None:
    """Return when a letter of this kind was last written to the operator; None if never."""
    query = select(Letter.created_at).where(col(Letter.mailbox) == mailbox_key(operator), col(Letter.kind) == kind.name)
    return session.exec(query.order_by(col(Letter.created_at).desc()).limit(1)).first()


def named(numbers: Sequence[int]) -> str:
    """Format the row numbers for a letter, cut to SHOWN; empty if there are none."""
    more = "" if len(numbers) <= SHOWN else " …"
    return ", ".join(map(str, sorted(numbers)[:SHOWN])) + more
