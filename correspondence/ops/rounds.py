"""Rounds of work that one worker does for all, chosen by a lease in the database.

A worker takes the lease before it begins. A worker that finds it taken does nothing, because another does the round.
The lease ends with the round or, if the worker is killed, after `LEASE`.
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
"""Maximum duration of a round; the next one continues, in any worker."""

PAIRING_INTERVAL = timedelta(minutes=3)
"""Interval between pairings of open seeks."""

NEAR_PAIRS_INTERVAL = timedelta(hours=1)
"""Interval between searches for pairs that differ only in pace."""

RETENTION_INTERVAL = timedelta(hours=1)
"""Interval between deletions of old data."""

LONGEST = timedelta(hours=2)
"""Maximum lease or time until the next round; a longer one came from a wrong clock."""

SLACK = timedelta(seconds=10)
"""How much earlier than its interval a round may begin, because machines' clocks differ."""


@contextmanager
def one_round(runtime: Runtime, name: str, interval: timedelta = timedelta(0)) -> Iterator[datetime | None]:
    """Context manager: yield the end of the round; None if another worker did it recently."""
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
    """Take the lease of a round if it is free."""
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
