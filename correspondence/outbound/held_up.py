"""Late letters: the mail server was down, an attempt failed, or mail was paused.

A player does not know the news in such a letter. A letter does not count as late if its reader wants it later, or if it
has not been processed yet while the mail server works.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, exists
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.core import db
from correspondence.models import Letter, LetterState, Player, ServiceState
from correspondence.models.mail import LETTER_IS_OPEN
from correspondence.outbound import kinds, refusals

LEAST_DELAY = timedelta(minutes=15)
"""Minimum delay of a late letter; greylisting alone takes less."""

_TURN = (kinds.TURN.name, kinds.TAKEN_BACK.name)

_TO_PLAYER = and_(
    col(Letter.match_id) == col(Player.match_id),
    col(Letter.person_id) == col(Player.person_id),
    col(Letter.created_at) >= col(Player.since),
)

_OF_MATCHES = col(Player.match_id).in_(bindparam("matches", expanding=True))

_WAITING = (
    select(Player.id, or_(col(Letter.state) == LetterState.FAILED, col(Letter.answer) != ""))
    .join(Letter, _TO_PLAYER)
    .where(
        _OF_MATCHES,
        col(Letter.kind).in_(_TURN),
        or_(
            col(Letter.state) == LetterState.FAILED,
            LETTER_IS_OPEN & or_(col(Letter.due_at) <= bindparam("now"), col(Letter.answer) != ""),
        ),
    )
)

_LEFT = (
    select(Player.id, func.min(Letter.wanted_at), func.min(Letter.sent_at))
    .join(Letter, _TO_PLAYER)
    .where(_OF_MATCHES, col(Letter.kind).in_([*_TURN, kinds.REMINDER.name]), col(Letter.state) == LetterState.SENT)
    .group_by(col(Player.match_id), col(Player.seat), col(Player.id))
)
"""Query: when turn letters were sent; grouped like the index, to avoid scanning all games."""

"""Players with unsent turn letters that are due or were tried, each with whether an attempt failed."""

_NONE_LEAVES = select(
    or_(refusals.IS_STOPPED.exists(), exists().where(col(ServiceState.mail_paused_since).is_not(None)))
)


class LateLetters(NamedTuple):
    """Ids of players whom no letter notified of their turn in time: still waiting, or sent late."""

    held_up: frozenset[int]
    left_at: dict[int, datetime]


def ask_ahead(session: Session, match_ids: Collection[int], *, now: datetime) -> None:
    """Load the late letters of these matches with one query, for a block of `db.asking_once`."""
    found = _late_letters(session, match_ids, now)
    for number in match_ids:
        db.asked(session)[LateLetters, number] = found


def late_letters(session: Session, match_id: int, *, now: datetime) -> LateLetters:
    """Return the players of a match whom no letter notified of the current turn in time."""
    kept: LateLetters | None = db.asked(session).get((LateLetters, match_id))
    return kept if kept is not None else _late_letters(session, [match_id], now)


def _late_letters(session: Session, match_ids: Collection[int], now: datetime) -> LateLetters:
    waiting = db.rows(session, _WAITING, matches=list(match_ids), now=now)
    none_leaves = bool(waiting) and bool(db.value(session, _NONE_LEAVES))
    left = db.rows(session, _LEFT, matches=list(match_ids))
    return LateLetters(
        frozenset(player for player, has_failed in waiting if has_failed or none_leaves),
        {player: sent_at for player, wanted_at, sent_at in left if _is_late(wanted_at, sent_at)},
    )


def _is_late(wanted_at: datetime | None, sent_at: datetime | None) -> bool:
    return wanted_at is not None and sent_at is not None and sent_at - wanted_at >= LEAST_DELAY
