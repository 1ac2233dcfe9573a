"""Due work: one query for all sweeps, so that an idle worker costs almost nothing.

Each condition uses the same rows and index as its sweep, and must not be narrower: a row that it misses is never swept.
Conditions of rare sweeps are queries of this module, so that their code is loaded only with the first due row.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Date, Select, bindparam, or_
from sqlalchemy import select as select_values
from sqlmodel import Session, col, func, select

from correspondence.accounts import suspensions
from correspondence.clocks import missing_games, outages, vacations
from correspondence.core import db, sweeps
from correspondence.core.runtime import Runtime
from correspondence.inbound import mailbox
from correspondence.matchmaking import seek_ends
from correspondence.models import (
    DailySeed,
    Heartbeat,
    Letter,
    LetterRequest,
    Match,
    Person,
    PushSubscription,
    Seek,
    ServiceState,
)
from correspondence.models.mail import LETTER_IS_HELD
from correspondence.models.matches import MATCH_HAS_CLOCK, MATCH_HAS_REMINDER, MATCH_IS_UNINDEXED
from correspondence.models.matchmaking import SEEK_ASKS, SEEK_EXPIRES
from correspondence.models.people import WANTS_EXERCISES
from correspondence.outbound import events, outbox
from engines import GAMES

_GAMES: BindParameter[str] = bindparam("games", expanding=True)
_NOW: BindParameter[datetime] = bindparam("now")

OUT_OF_TIME = select(Match.id).where(col(Match.deadline) <= _NOW, col(Match.game).in_(_GAMES))
"""Matches of the `games` in which somebody has run out of time `now`."""

TO_REMIND = select(Match.id).where(col(Match.remind_at) <= _NOW, col(Match.game).in_(_GAMES))
"""Matches of the `games` in which a reminder is due `now`."""

EXPIRED_SEEKS = select(Seek.id).where(SEEK_EXPIRES, col(Seek.expires_at) <= _NOW)
"""Open seeks that expire `now`."""

ASKED_SEEKS = select(Seek.id).where(SEEK_ASKS, col(Seek.ask_at) <= _NOW)
"""Open seeks whose seekers are to be asked `now` whether to keep them."""

OWED_DIGESTS = select(Letter.person_id).where(LETTER_IS_HELD, col(Letter.due_at) <= _NOW)
"""People whose held letters are due in a digest `now`."""

OWED_EXERCISES = select(Person.id).where(WANTS_EXERCISES, col(Person.exercise_due_at) <= _NOW)
"""People to whom an exercise is due `now`."""

REQUESTS = select(LetterRequest.id)
"""The letters requested on pages."""

_FIRST_DEADLINE = select(func.min(Match.deadline)).where(MATCH_HAS_CLOCK, col(Match.game).in_(_GAMES)).scalar_subquery()
_FIRST_REMINDER = (
    select(func.min(Match.remind_at)).where(MATCH_HAS_REMINDER, col(Match.game).in_(_GAMES)).scalar_subquery()
)
"""The earliest reminder; min() makes PostgreSQL use the index, EXISTS might scan."""

_UNINDEXED = select(Match.id).where(MATCH_IS_UNINDEXED)  # of all games, or another index would look better
_FRESH = select(Heartbeat.id).where(col(Heartbeat.id) == 1, col(Heartbeat.at) > bindparam("beat"))
_WAKING = select(PushSubscription.id).where(col(PushSubscription.due_at) <= _NOW)
_ANNOUNCED = select(ServiceState.id).where(col(ServiceState.letters_after).is_not(None))
_REQUESTED = REQUESTS.exists()


def _unmade(day: str) -> ColumnElement[bool]:
    return ~select(DailySeed).where(col(DailySeed.day) == bindparam(day, type_=Date)).exists()


_QUESTIONS: dict[str, ColumnElement[bool]] = {
    "mail": mailbox.DUE.exists(),
    "deadlines": or_(
        ~_FRESH.exists(),
        outages.OPEN.exists(),
        vacations.UNAPPLIED.exists(),
        _FIRST_DEADLINE <= _NOW,
        _FIRST_REMINDER <= _NOW,
        missing_games.GONE.exists(),
        missing_games.BACK.exists(),
    ),
    "digests": OWED_DIGESTS.exists(),
    "exercises by mail": OWED_EXERCISES.exists(),
    "openings": _UNINDEXED.exists(),
    "deals of the day": or_(_unmade("today"), _unmade("tomorrow")),
    "awaited letters": or_(_REQUESTED, outbox.AWAITED_DUE.exists()),
    "outbox": or_(_REQUESTED, outbox.DUE.exists()),
    "notifications": _WAKING.exists(),
    "events": events.DUE.exists(),
    "seeks": or_(ASKED_SEEKS.exists(), EXPIRED_SEEKS.exists(), seek_ends.TO_REOPEN.exists()),
    "announcements": _ANNOUNCED.exists(),
    "suspensions": suspensions.ENDED.exists(),
}
"""The condition of each sweep (worker.py): whether it would find anything."""


@cache
def _questions() -> dict[str, ColumnElement[bool]]:
    return _QUESTIONS | {sweep.name: sweep.is_due for sweep in sweeps.SWEEPS}


def names() -> frozenset[str]:
    """Return the names of the sweeps that run only when they are due."""
    return frozenset(_questions())


@cache
def _all() -> Select[*tuple[Any, ...]]:
    return select_values(*(question.label(name) for name, question in _questions().items()))


def due_sweeps(session: Session, *, now: datetime) -> list[str]:
    """Return the `names` of the sweeps that would find something to do."""
    today = now.date()
    moments = {"now": now, "beat": now - outages.BEAT, "today": today, "tomorrow": today + timedelta(days=1)}
    (answer,) = db.rows(session, _all(), games=list(GAMES), **moments)
    return [name for name, is_due in zip(_questions(), answer, strict=True) if is_due]


def run_due(runtime: Runtime, run: Callable[[str], Any]) -> None:
    """Call `run` with the name of each sweep that would find something to do."""
    with db.reading(runtime.engine) as session:
        names = due_sweeps(session, now=runtime.now())
    for name in names:
        run(name)
