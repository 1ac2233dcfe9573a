"""Locks for transactions that count before they write, and the global lock order.

The order is token, matches, seeks, persons, ratings, then a name such as a mailbox; rows of one kind in ascending
order. A waiting transaction holds only earlier locks, so there are no deadlocks. The name “strangers” precedes all
others: only mail from people without an account takes it. On SQLite one transaction writes at a time, so nothing is
locked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Executable, bindparam, func, select
from sqlmodel import Session, col

from correspondence.core import db
from correspondence.models.matches import Match
from correspondence.models.matchmaking import Seek
from correspondence.models.people import Person


def _held(table: Any, **mode: Any) -> Executable:
    some = col(table.id).in_(bindparam("numbers", expanding=True))
    return select(col(table.id)).where(some).order_by(col(table.id)).with_for_update(**mode)


_MATCHES, _SEEKS, _PERSONS = _held(Match), _held(Seek), _held(Person, **db.NO_KEY_UPDATE)

_NAME = select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("name"), 0)))


def hold(
    session: Session, *, matches: Collection[int] = (), seeks: Collection[int] = (), persons: Collection[int] = ()
) -> None:
    """Lock these rows until the transaction ends, so that counts and reads stay valid."""
    if db.holds_all(session):
        return
    for statement, numbers in ((_MATCHES, matches), (_SEEKS, seeks), (_PERSONS, persons)):
        if numbers:
            db.connection(session).execute(statement, {"numbers": list(numbers)})


def hold_person(session: Session, person: Person) -> None:
    """Lock one person, so that counts of the person's rows stay valid."""
    hold(session, persons=[person.id])


def hold_name(session: Session, name: str) -> None:
    """Take an advisory lock on a name that has no row, such as a stranger's mailbox."""
    held = db.session_cache(session)
    if not db.holds_all(session) and ("name", name) not in held:
        db.connection(session).execute(_NAME, {"name": name})
        held["name", name] = True
