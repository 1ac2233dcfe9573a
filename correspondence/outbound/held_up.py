"""Letters that were due and could not leave, or left late: the mail server took none, or a try failed.

Whoever waits for such a letter cannot know what it tells. A letter that waits because its reader wants it later, or that
has not been looked at yet while the mail server works, is not held up.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists
from sqlmodel import Session, col, func, or_, select

from correspondence.core import db
from correspondence.models import Letter, LetterState
from correspondence.models.mail import LETTER_IS_OPEN
from correspondence.outbound import kinds

LEAST_DELAY = timedelta(minutes=15)
"""From this on a letter left late. Less is what a greylisting server costs, and matters to nobody."""

_TURN = (kinds.TURN.name, kinds.TAKEN_BACK.name)

_TO_PLAYER = (
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.created_at) >= bindparam("since"),
)

_OWN = select(Letter.state).where(
    *_TO_PLAYER,
    col(Letter.kind).in_(_TURN),
    or_(
        col(Letter.state) == LetterState.FAILED,
        LETTER_IS_OPEN & or_(col(Letter.due_at) <= bindparam("now"), col(Letter.answer) != ""),
    ),
)

_LEFT = select(func.min(Letter.wanted_at), func.min(Letter.sent_at)).where(
    *_TO_PLAYER, col(Letter.kind).in_([*_TURN, kinds.REMINDER.name]), col(Letter.state) == LetterState.SENT
)

_SERVER_FAILS = select(exists().where(LETTER_IS_OPEN, col(Letter.answer) != ""))


def is_held_up(session: Session, match_id: int, person_id: int, since: datetime, *, now: datetime) -> bool:
    """Whether the letter that told a player of the turn that began at `since` could not leave, or was given up."""
    state = db.value(session, _OWN, match=match_id, person=person_id, since=since, now=now)
    return state == LetterState.FAILED or (state is not None and bool(db.value(session, _SERVER_FAILS)))


def left_late(session: Session, match_id: int, person_id: int, since: datetime) -> datetime | None:
    """When a player was told of the turn that began at `since`, if that was late through us; None if it was in time."""
    [(wanted_at, sent_at)] = db.rows(session, _LEFT, match=match_id, person=person_id, since=since)
    return sent_at if wanted_at is not None and sent_at is not None and sent_at - wanted_at >= LEAST_DELAY else None
