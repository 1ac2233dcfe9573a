"""Counters for monitoring: moves, mails, letters, pages; no counter identifies a person.

Counts stay in process memory until the heartbeat adds them to the database, which sums all processes and hosts. Events
of a transaction that is rolled back are not counted. A killed process loses its last seconds.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict

from sqlalchemy import Engine, column, event, select, table
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session

from correspondence.core import db
from correspondence.core.config import Settings

_COUNTED = table("counted", column("name"), column("labels"), column("number"))
"""The table `Counted` of models/operations.py."""

_COUNTS = "correspondence_counts"
"""Key in `session.info` of the counts of the current transaction."""

Key = tuple[str, str]
"""A counter's name, and the values of its labels separated by blanks."""

_lock = threading.Lock()
_waiting: dict[str, Counter[Key]] = defaultdict(Counter)
"""Counts not yet written, by the id of their database (`db.mark_of`)."""


def count(session: Session, name: str, *labels: str) -> None:
    """Count an event when the transaction commits."""
    session.info.setdefault(_COUNTS, []).append((session.get_nested_transaction(), (name, " ".join(labels))))


def count_now(engine: Engine, name: str, *labels: str, number: int = 1) -> None:
    """Count an event outside any transaction, at once."""
    with _lock:
        _waiting[db.mark_of(engine)][name, " ".join(labels)] += number


def keep(engine: Engine, settings: Settings) -> None:
    """Add the pending counts to the database; do nothing if METRICS_TOKEN is not set."""
    if not settings.metrics_token:
        return
    with _lock:
        counts = _waiting.pop(db.mark_of(engine), Counter())
    if not counts:
        return
    try:
        with db.transaction(engine) as session:
            for name, labels in sorted(counts):  # a fixed order prevents deadlocks
                added = db.insert_into(session, _COUNTED).values(name=name, labels=labels, number=counts[name, labels])
                number = _COUNTED.c.number + added.excluded.number
                session.execute(added.on_conflict_do_update(index_elements=["name", "labels"], set_={"number": number}))
    except Exception:
        with _lock:
            _waiting[db.mark_of(engine)].update(counts)
        raise


def kept(session: Session) -> dict[Key, int]:
    """Return the counts in the database."""
    return {(name, labels): number for name, labels, number in db.rows(session, select(_COUNTED))}


def _forget_rolled_back(session: Session, rolled_back: SessionTransaction) -> None:
    """Drop the counts of a savepoint or transaction that is rolled back."""
    counted = session.info.get(_COUNTS)
    if counted:
        is_all = rolled_back.parent is None
        session.info[_COUNTS] = [one for one in counted if not (is_all or _is_within(one[0], rolled_back))]


def _is_within(inner: SessionTransaction | None, outer: SessionTransaction) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent
    return inner is outer


def _hand_over(session: Session) -> None:
    if session.get_nested_transaction() is None:  # else this is the end of a savepoint
        for _within, (name, labels) in session.info.pop(_COUNTS, ()):
            count_now(session.get_bind(), name, labels)  # type: ignore[arg-type]


event.listen(Session, "after_soft_rollback", _forget_rolled_back)
event.listen(Session, "after_commit", _hand_over)
