"""Times when the service was down, which cost nobody any time.

Workers record in one row that they are alive. The first worker to find that row old records the gap as one outage,
however many workers start at once. Then every deadline that ran meanwhile is recomputed, a batch at a time.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select as select_values
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import Heartbeat, Match, Outage, ServiceState

BEAT = timedelta(minutes=1)
"""How often workers record that they are alive."""

GAP = timedelta(minutes=10)
"""After how long without a heartbeat the service counts as having been down."""


OPEN = select(Outage).where(col(Outage.is_applied).is_(False))
"""Outages that have not been applied to every deadline yet."""

STANDS_SINCE = (
    select(Heartbeat.at).where(col(Heartbeat.id) == 1).scalar_subquery().label("beat"),
    select(ServiceState.read_only_since).where(col(ServiceState.id) == 1).scalar_subquery().label("read_only_since"),
)
"""When the last heartbeat was, and since when the service is read-only, as columns of any statement."""

_STANDS_SINCE = select_values(*STANDS_SINCE)


def record_heartbeat(session: Session, *, now: datetime) -> Outage | None:
    """Record that a worker is alive; returns the outage that has just ended, if there was one."""
    heartbeat = session.get(Heartbeat, 1, with_for_update=True, populate_existing=True)
    if heartbeat is None:
        _begin(session, now)
        return None
    outage = None
    if now - heartbeat.at > GAP:
        outage = record(session, heartbeat.at, now)
    heartbeat.at = max(heartbeat.at, now)
    session.add(heartbeat)
    session.flush()
    return outage


def record(session: Session, begins_at: datetime, ends_at: datetime) -> Outage:
    """Record a time that counts against nobody; one that begins at the same moment is made longer."""
    outage = session.exec(select(Outage).where(col(Outage.begins_at) == begins_at)).first()
    outage = outage or Outage(begins_at=begins_at, ends_at=ends_at)
    outage.ends_at, outage.applied_to, outage.is_applied = max(outage.ends_at, ends_at), 0, False
    session.add(outage)
    return outage


def _begin(session: Session, now: datetime) -> None:
    """Write the first heartbeat of all; another worker may have been faster."""
    try:
        with session.begin_nested():
            session.add(Heartbeat(id=1, at=now))
    except IntegrityError:
        session.expire_all()


def is_fresh(session: Session, now: datetime) -> bool:
    """Whether a worker has recorded a heartbeat lately, so that none needs to be written."""
    heartbeat = session.get(Heartbeat, 1)
    return heartbeat is not None and now - heartbeat.at < BEAT


def unrecorded_gap(session: Session, now: datetime) -> tuple[datetime, datetime] | None:
    """The gap that nobody has recorded yet: no worker runs though pages may be up, or the service is read-only."""
    if db.is_absent(session, unrecorded_gap):
        return None
    beat, read_only_since = db.asked(session).get(Heartbeat) or db.rows(session, _STANDS_SINCE)[0]
    begins = [at for at in (read_only_since, beat if beat is not None and now - beat > GAP else None) if at is not None]
    return (min(begins), now) if begins and min(begins) < now else None


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
