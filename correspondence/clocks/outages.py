"""Outages of the service, whose time counts against nobody.

The service is down if no worker runs, if it cannot receive mail, or if no letter can be sent through its own fault. The
database holds a heartbeat for each (`Signs`). The first process that finds an expired one records the gap as an outage,
even if several start at once. Then every deadline that ran meanwhile is recomputed in batches. Clocks are also stopped
during a gap that is not recorded yet (`unrecorded_gap`).
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
"""Interval between heartbeats of a process."""

LOST = 3 * BEAT
"""Time without a heartbeat after which a process, or the intake of mail, counts as missing."""

GAP = timedelta(minutes=10)
"""Time without a worker or outgoing letters after which the service counts as down."""

_WORK, _MAIL = 1, 2
"""Ids of the rows of Heartbeat."""

OPEN = select(Outage).where(col(Outage.is_applied).is_(False))
"""Query: outages that have not been applied to every deadline yet."""


class Signs(NamedTuple):
    """Timestamps that show whether the service is up; None if there is none.

    `worked_at` is when a worker last ran. `mail_at` is when mail could last come in. `letters_held_since` is the time
    since which no letter can be sent. `read_only_since` is the time since which the service is read-only.
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
"""`Signs` as columns for any query, by name."""

_SIGNS = select_values(*(column.label(name) for name, column in SIGNS.items()))


def signs_of(session: Session) -> Signs:
    """Return the current `Signs`, prefetched or from the database."""
    kept: Signs | None = db.asked(session).get(Signs)
    return kept if kept is not None else Signs(*db.rows(session, _SIGNS)[0])


def stands_since(signs: Signs, now: datetime) -> datetime | None:
    """Return since when clocks are stopped without a recorded outage; None while they run."""
    patience = (GAP, LOST, GAP, timedelta(0))
    begins = [at for at, least in zip(signs, patience, strict=True) if at is not None and now - at > least]
    return min(begins, default=None)


def sure_until(session: Session, now: datetime) -> datetime:
    """Return until when mail certainly came in and went out; timeouts after it do not count."""
    signs = signs_of(session)
    return min(at for at in (now, signs.mail_at, signs.letters_held_since) if at is not None)


def record_heartbeat(session: Session, *, now: datetime) -> Outage | None:
    """Record that a worker is alive; return the outage that has ended, if any."""
    return _record_sign(session, _WORK, GAP, now)


def record_way_in(session: Session, *, now: datetime) -> Outage | None:
    """Record that mail can come in; return the outage that has ended, if any."""
    return _record_sign(session, _MAIL, LOST, now)


def expect_mail(session: Session, *, now: datetime) -> None:
    """Count the service as down while it cannot receive mail."""
    if session.get(Heartbeat, _MAIL) is None:
        db.add_unless_there(session, Heartbeat(id=_MAIL, at=now))


def expect_no_mail(session: Session) -> bool:
    """Stop expecting incoming mail; return whether it was expected."""
    found = session.get(Heartbeat, _MAIL, with_for_update=True)
    if found is not None:
        session.delete(found)
    return found is not None


def note_letters(session: Session, held_since: datetime | None, *, now: datetime) -> Outage | None:
    """Record since when no letter can be sent, or None; return the outage that ended, if any."""
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
    """Record an outage, or extend the one with the same start."""
    outage = session.exec(select(Outage).where(col(Outage.begins_at) == begins_at)).first()
    outage = outage or Outage(begins_at=begins_at, ends_at=ends_at)
    outage.ends_at, outage.applied_to, outage.is_applied = max(outage.ends_at, ends_at), 0, False
    session.add(outage)
    return outage


def is_fresh(session: Session, now: datetime) -> bool:
    """Whether a worker recorded a heartbeat within `BEAT`, so that none is needed."""
    worked_at = signs_of(session).worked_at
    return worked_at is not None and now - worked_at < BEAT


def unrecorded_gap(session: Session, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the current gap that is not recorded yet, up to `now`; None while clocks run."""
    if db.is_absent(session, unrecorded_gap):
        return None
    begins = stands_since(signs_of(session), now)
    return (begins, now) if begins is not None else None


def open_outage(session: Session) -> Outage | None:
    """Return the first outage that is not applied to every deadline yet, and lock it."""
    return session.exec(OPEN.order_by(col(Outage.id)).limit(1).with_for_update()).first()


def matches_after(session: Session, outage: Outage, most: int) -> list[int]:
    """Return the ids of the next `most` matches with running clocks, to apply an outage to.

    The progress is stored in the outage's row.
    """
    query = select(Match.id).where(col(Match.deadline).is_not(None), col(Match.id) > outage.applied_to)
    match_ids = list(session.exec(query.order_by(col(Match.id)).limit(most)))
    outage.applied_to = match_ids[-1] if match_ids else outage.applied_to
    outage.is_applied = len(match_ids) < most
    session.add(outage)
    return match_ids
