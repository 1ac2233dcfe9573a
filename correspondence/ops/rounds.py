"""Rounds of work that one worker does for all: which worker does the present one.

A worker takes a lease in the database before it begins. Who finds it taken does nothing, because the round is being
done. The lease ends with the round or, if the worker is killed, after `LEASE`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.core.db import add_unless_there, transaction
from correspondence.core.runtime import Runtime
from correspondence.models import SweepLease

LEASE = timedelta(minutes=5)
"""How long a round may take: what is left then is done in the next one, by whichever worker comes first."""

PAIRING_INTERVAL = timedelta(minutes=3)
"""How often open seeks are paired."""

NEAR_PAIRS_INTERVAL = timedelta(hours=1)
"""How often pairs that only their paces keep apart are looked for."""

RETENTION_INTERVAL = timedelta(hours=1)
"""How often what is no longer kept is dropped."""

LONGEST = timedelta(hours=2)
"""No lease, nor the time until the next round, is longer: what ends later was taken by a clock that was wrong."""

SLACK = timedelta(seconds=10)
"""How much earlier than an interval after the last round the next one may begin, because no two clocks are the same."""


@contextmanager
def one_round(runtime: Runtime, name: str, interval: timedelta = timedelta(0)) -> Iterator[datetime | None]:
    """The time at which the round must be over; None where another worker does it, or did it within the interval."""
    began, holder = runtime.now(), secrets.token_hex(8)
    next_round = began + max(interval - SLACK, timedelta(0))
    with transaction(runtime.engine) as session:
        is_ours = _take(session, name, holder, began)
    try:
        yield began + LEASE if is_ours else None
    finally:
        if is_ours:
            with transaction(runtime.engine) as session:
                _give_back(session, name, holder, next_round)


def _take(session: Session, name: str, holder: str, now: datetime) -> bool:
    """Take the lease of a round where it is free."""
    lease = _locked(session, name)
    if lease is None:
        add_unless_there(session, SweepLease(name=name, ends_at=now))
        lease = _locked(session, name)
    if lease is None or now < lease.ends_at <= now + LONGEST:
        return False
    lease.holder, lease.ends_at = holder, now + LEASE
    session.add(lease)
    return True


def _give_back(session: Session, name: str, holder: str, until: datetime) -> None:
    lease = _locked(session, name)
    if lease is not None and lease.holder == holder:
        lease.ends_at = until
        session.add(lease)


def _locked(session: Session, name: str) -> SweepLease | None:
    return session.get(SweepLease, name, with_for_update=True, populate_existing=True)
