"""Count automatic answers per mailbox, which limits further answers to mail.

There are two budgets, one for answers to mail with a token and one for answers to From lines only. A forged From line
can use up only the second one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Letter

PROVEN, UNPROVEN = "auto-replied", "auto-replied; from line"
"""`Letter.auto_submitted` of an answer to proven mail, and of an answer to any other mail.

Mail is proven if it has a token, or our mail server authenticated it. The header contains only the part before the
semicolon.
"""


class Answered(NamedTuple):
    """Filter for counting answers: a mailbox, a person (or no member), and a start time."""

    mailbox: str
    person: int | None
    answered_since: datetime


def _count(budget: str) -> Any:
    """Build the query that counts the answers of one budget."""
    return (
        select(func.count())
        .select_from(Letter)
        .where(
            col(Letter.mailbox) == bindparam("mailbox"),
            col(Letter.person_id).is_not_distinct_from(bindparam("person", type_=Integer)),
            col(Letter.created_at) > bindparam("answered_since"),
            col(Letter.auto_submitted) == budget,
        )
    )


_COUNT_PROVEN, _COUNT_UNPROVEN = _count(PROVEN), _count(UNPROVEN)

ANSWERS_GIVEN = _COUNT_PROVEN.scalar_subquery()
"""Subquery: the number of answers to proven mail, with `Answered` as its parameters."""


def answered(mail: str, person_id: int | None, since: datetime) -> Answered:
    """Return the filter for answers to an address and a person, or to no member."""
    return Answered(mailbox_key(mail), person_id, since)


def answers_given(session: Session, which: Answered, *, is_proven: bool) -> int:
    """Count the answers given to proven mail, or to unproven mail."""
    if not is_proven:
        unproven: int = db.value(session, _COUNT_UNPROVEN, **which._asdict())
        return unproven
    kept: int | None = db.asked(session).get(which)
    if kept is not None:
        return kept
    given: int = db.value(session, _COUNT_PROVEN, **which._asdict())
    return given
