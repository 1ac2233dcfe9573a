"""Letters that were due and could not leave: the mail server takes none, or their last try failed.

Whoever waits for such a letter cannot know what it tells. A letter that waits because its reader wants it later, or that
has not been looked at yet while the mail server works, is not held up.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, exists
from sqlmodel import Session, col, or_, select

from correspondence.core import db
from correspondence.models import Letter, LetterState
from correspondence.models.mail import LETTER_IS_OPEN
from correspondence.outbound import kinds

_OWN = select(Letter.state).where(
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.kind).in_([kinds.TURN.name, kinds.TAKEN_BACK.name]),
    col(Letter.created_at) >= bindparam("since"),
    or_(
        col(Letter.state) == LetterState.FAILED,
        LETTER_IS_OPEN & or_(col(Letter.due_at) <= bindparam("now"), col(Letter.answer) != ""),
    ),
)

_SERVER_FAILS = select(exists().where(LETTER_IS_OPEN, col(Letter.answer) != ""))


def is_held_up(session: Session, match_id: int, person_id: int, since: datetime, *, now: datetime) -> bool:
    """Whether the letter that told a player of the turn that began at `since` could not leave, or was given up."""
    state = db.value(session, _OWN, match=match_id, person=person_id, since=since, now=now)
    return state == LetterState.FAILED or (state is not None and bool(db.value(session, _SERVER_FAILS)))
