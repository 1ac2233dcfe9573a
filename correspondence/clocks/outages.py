"""Times when the service was down, which cost nobody any time.

It is down while no worker runs, while mail has no way in, and while no letter leaves through our own fault. Each of these
leaves a sign in the database (`Signs`). The first process to find a sign old records the gap as one outage, however many
start at once. Then every deadline that ran meanwhile is recomputed, a batch at a time. Until it is recorded, clocks stand
all the same (`unrecorded_gap`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ScalarSelect
from sqlalchemy import select as select_values
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import Heartbeat, Match, Outage, ServiceState

BEAT = timedelta(seconds=15)
"""How often each process gives a sign of life."""

LOST = 3 * BEAT
"""After this time without a sign a process is missing, and mail has no way in."""

GAP = timedelta(minutes=10)
"""After this time without a worker, or without a way out for letters, the service was down."""

_WORK, _MAIL = 1, 2
"""The rows of Heartbeat."""

OPEN = select(Outage).where(col(Outage.is_applied).is_(False))
"""Outages that have not been applied to every deadline yet."""


class Signs(NamedTuple):
    """The signs of whether the service is up, each None if there is none.

    When a worker last ran, and mail could last come in. Since when no letter leaves, and the service is read-only.
    """

    worked_at: datetime | None
    mail_at: datetime | None
    letters_held_since: datetime | None
    read_only_since: datetime | None


def _beat(number: int) -> ScalarSelect[Any]:
    return select(Heartbeat.at).where(col(Heartbeat.id) == number).scalar_subquery()


def _state(column: Any) -> ScalarSelect[Any]:
    return select(column).where(col(ServiceState.id) == 1).scalar_subquery()


SIGNS = dict(
    zip(
        Signs._fields,
        (_beat(_WORK), _beat(_MAIL), _state(ServiceState.letters_held_since), _state(ServiceState.read_only_since)),
        strict=True,
    )
)
"""The same as columns of any statement, by name."""

_SIGNS = select_values(*(column.label(name) for name, column in SIGNS.items()))


def signs_of(session: Session) -> Signs:
    """Return the signs that the database holds, or that were asked ahead."""
    kept: Signs | None = db.asked(session).get(Signs)
    return kept if kept is not None else Signs(*db.rows(session, _SIGNS)[0])


def stands_since(signs: Signs, now: datetime) -> datetime | None:
    """Since when clocks stand though no outage is recorded yet; None while they run."""
    patience = (GAP, LOST, GAP, timedelta(0))
    begins = [at for at, least in zip(signs, patience, strict=True) if at is not None and now - at > least]
    return min(begins, default=None)


def sure_until(session: Session, now: datetime) -> datetime:
    """Return until when mail could surely come in and letters leave: nobody is late after that."""
    signs = signs_of(session)
    return min(at for at in (now, signs.mail_at, signs.letters_held_since) if at is not None)


def record_heartbeat(session: Session, *, now: datetime) -> Outage | None:
    """Record that a worker is alive; return the outage that has just ended, if any."""
    return _record_sign(session, _WORK, GAP, now)


def record_way_in(session: Session, *, now: datetime) -> Outage | None:
    """Record that mail can come in; return the outage that has just ended, if any."""
    return _record_sign(session, _MAIL, LOST, now)


def expect_mail(session: Session, *, now: datetime) -> None:
    """Let the service count as down while mail has no way in."""
    if session.get(Heartbeat, _MAIL) is None:
        db.add_unless_there(session, Heartbeat(id=_MAIL, at=now))


def expect_no_mail(session: Session) -> bool:
    """Let the service take in no mail; returns whether it was expected to."""
    found = session.get(Heartbeat, _MAIL, with_for_update=True)
    if found is not None:
        session.delete(found)
    return found is not None


def note_letters(session: Session, held_since: datetime | None, *, now: datetime) -> Outage | None:
    """Note since when no letter leaves, None if they do; return the outage that has just ended, if any."""
    if signs_of(session).letters_held_since is None and held_since is None:
        return None
    db.add_unless_there(session, ServiceState(id=1))
    state = session.get_one(ServiceState, 1, with_for_update=True, populate_existing=True)
    before, state.letters_held_since = state.letters_held_since, held_since
    session.add(state)
    is_over = before is not None and held_since is None and now - before > GAP
    return record(session, before, now) if is_over and before is not None else None


def _record_sign(session: Session, number: int, patience: timedelta, now: datetime) -> Outage | None:
    sign = session.get(Heartbeat, number, with_for_update=True, populate_existing=True)
    if sign is None:
        db.add_unless_there(session, Heartbeat(id=number, at=now))
        return None
    outage = record(session, sign.at, now) if now - sign.at > patience else None
    sign.at = max(sign.at, now)
    session.add(sign)
    session.flush()
    return outage


def record(session: Session, begins_at: datetime, ends_at: datetime) -> Outage:
    """Record a time that counts against nobody; one that begins at the same moment is made longer."""
    outage = session.exec(select(Outage).where(col(Outage.begins_at) == begins_at)).first()
    outage = outage or Outage(begins_at=begins_at, ends_at=ends_at)
    outage.ends_at, outage.applied_to, outage.is_applied = max(outage.ends_at, ends_at), 0, False
    session.add(outage)
    return outage


def is_fresh(session: Session, now: datetime) -> bool:
    """Whether a worker has recorded a heartbeat lately, so that none needs to be written."""
    worked_at = signs_of(session).worked_at
    return worked_at is not None and now - worked_at < BEAT


def unrecorded_gap(session: Session, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the gap that is not recorded yet, from when clocks stand until now; None while they run."""
    if db.is_absent(session, unrecorded_gap):
        return None
    begins = stands_since(signs_of(session), now)
    return (begins, now) if begins is not None else None


def open_outage(session: Session) -> Outage | None:
    """The first outage that has not been applied to every deadline yet, locked until the transaction ends."""
    return session.exec(OPEN.order_by(col(Outage.id)).limit(1).with_for_update()).first()


def matches_after(session: Session, outage: Outage, most: int) -> list[int]:
    """The next `most` matches whose clocks ran in an outage, by id; records in its row how far they go."""
    query = select(Match.id).where(col(Match.deadline).is_not(None), col(Match.id) > outage.applied_to)
    match_ids = list(session.exec(query.order_by(col(Match.id)).limit(most)))
    outage.applied_to = match_ids[-1] if match_ids else outage.applied_to
    outage.is_applied = len(match_ids) < most
    session.add(outage)
    return match_ids
