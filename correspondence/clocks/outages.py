"""Times when the service was down, which cost nobody any time.

Workers note in one row that they live. Whoever finds that row old notes the gap as an outage, once, however many
workers start again together; then every deadline that ran meanwhile is reckoned anew, a batch at a time.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from correspondence.models import Match, Outage, Pulse

BEAT = timedelta(minutes=1)
"""How often workers note that they live."""

GAP = timedelta(minutes=10)
"""How long nobody may have noted it before the service counts as having been down."""


_LAST_BEAT = select(Pulse.at).where(col(Pulse.id) == 1)


def record_heartbeat(session: Session, *, now: datetime) -> Outage | None:
    """Note that a worker lives; returns the outage that has just ended, if there was one."""
    pulse = session.get(Pulse, 1, with_for_update=True, populate_existing=True)
    if pulse is None:
        _begin(session, now)
        return None
    outage = None
    if now - pulse.at > GAP:
        outage = Outage(begins_at=pulse.at, ends_at=now)
        session.add(outage)
    pulse.at = max(pulse.at, now)
    session.add(pulse)
    session.flush()
    return outage


def _begin(session: Session, now: datetime) -> None:
    """Write the first note of all; another worker may have been faster."""
    try:
        with session.begin_nested():
            session.add(Pulse(id=1, at=now))
    except IntegrityError:
        session.expire_all()


def is_fresh(session: Session, now: datetime) -> bool:
    """Whether a worker has noted lately that it lives, so that nothing is to be written."""
    pulse = session.get(Pulse, 1)
    return pulse is not None and now - pulse.at < BEAT


def unnoticed(session: Session, now: datetime) -> tuple[datetime, datetime] | None:
    """The gap that no worker has noted yet, because none has lived since: pages may be up without any."""
    at = session.exec(_LAST_BEAT).first()
    return (at, now) if at is not None and now - at > GAP else None


def open_outage(session: Session) -> Outage | None:
    """The first outage that not every deadline knows of yet, held until the transaction ends."""
    found = select(Outage).where(col(Outage.is_applied).is_(False)).order_by(col(Outage.id)).limit(1).with_for_update()
    return session.exec(found).first()


def matches_after(session: Session, outage: Outage, most: int) -> list[int]:
    """The next matches whose clocks ran in an outage, by number; notes in its row how far they go."""
    found = select(Match.id).where(col(Match.deadline).is_not(None), col(Match.id) > outage.applied_to)
    numbers = list(session.exec(found.order_by(col(Match.id)).limit(most)))
    outage.applied_to = numbers[-1] if numbers else outage.applied_to
    outage.is_applied = len(numbers) < most
    session.add(outage)
    return numbers
