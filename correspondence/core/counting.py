"""What happened, counted for monitoring: moves, mails, letters, pages. It names nobody.

Counts wait in the memory of a process, and go to the database with its heartbeat, where the counts of all processes and
hosts add up. A transaction that is rolled back counts nothing. A process that is killed loses its last seconds.
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
"""The table of models/operations.py."""

_COUNTS = "correspondence_counts"
"""Names what a session has counted in its transaction."""

Key = tuple[str, str]
"""What is counted, and the values of its labels with blanks between them."""

_lock = threading.Lock()
_waiting: dict[str, Counter[Key]] = defaultdict(Counter)
"""By the mark of a database: what is still to be kept there."""


def count(session: Session, name: str, *labels: str) -> None:
    """Count something once the transaction is committed."""
    session.info.setdefault(_COUNTS, []).append((session.get_nested_transaction(), (name, " ".join(labels))))


def count_now(engine: Engine, name: str, *labels: str, number: int = 1) -> None:
    """Count something that belongs to no transaction."""
    with _lock:
        _waiting[db.mark_of(engine)][name, " ".join(labels)] += number


def keep(engine: Engine, settings: Settings) -> None:
    """Add the waiting counts to those in the database. Without METRICS_TOKEN nobody reads them."""
    if not settings.metrics_token:
        return
    with _lock:
        counts = _waiting.pop(db.mark_of(engine), Counter())
    if not counts:
        return
    try:
        with db.transaction(engine) as session:
            for name, labels in sorted(counts):  # in one order, so that no two processes wait for each other
                added = db.insert_into(session, _COUNTED).values(name=name, labels=labels, number=counts[name, labels])
                number = _COUNTED.c.number + added.excluded.number
                session.execute(added.on_conflict_do_update(index_elements=["name", "labels"], set_={"number": number}))
    except Exception:
        with _lock:
            _waiting[db.mark_of(engine)].update(counts)
        raise


def kept(session: Session) -> dict[Key, int]:
    """Return how often each thing has happened, as far as it is kept."""
    return {(name, labels): number for name, labels, number in db.rows(session, select(_COUNTED))}


def _forget_rolled_back(session: Session, rolled_back: SessionTransaction) -> None:
    """Forget what was counted within a savepoint, or a transaction, that is rolled back."""
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
