"""How many automatic answers a mailbox has had: what answers mail asks this before it writes one more."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Letter
from correspondence.models.columns import constant


class Answered(NamedTuple):
    """Which answers are counted: those to a mailbox, and there to this person or to no member, since then."""

    mailbox: str
    person: int | None
    answered_since: datetime


_COUNT = (
    select(func.count())
    .select_from(Letter)
    .where(
        col(Letter.mailbox) == bindparam("mailbox"),
        col(Letter.person_id).is_not_distinct_from(bindparam("person", type_=Integer)),
        col(Letter.created_at) > bindparam("answered_since"),
        col(Letter.auto_submitted) == constant("auto-replied"),
    )
)

ANSWERS_GIVEN = _COUNT.scalar_subquery()
"""How many answers there were, as a column of a statement with what an `Answered` holds as its parameters."""


def answered(mail: str, person_id: int | None, since: datetime) -> Answered:
    """Return which answers count for an address and a person, or nobody."""
    return Answered(mailbox_key(mail), person_id, since)


def answers_given(session: Session, which: Answered) -> int:
    """Return how many of these answers were given."""
    kept: int | None = db.asked(session).get(which)
    if kept is not None:
        return kept
    given: int = db.value(session, _COUNT, **which._asdict())
    return given
