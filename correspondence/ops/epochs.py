"""New epochs after a restore or a failover: numbers of the lost machine are never reused.

Tokens, letters, games and persons are identified by row numbers, in addresses, keys, signatures and caches. A restored
database would give the same numbers to other rows. So every sequence is raised first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, text, update
from sqlmodel import Session, col, select

from correspondence.core.config import SettingError, Settings
from correspondence.models import (
    Event,
    Exercise,
    Heartbeat,
    Letter,
    LostNumbers,
    Match,
    Move,
    OperatorAct,
    Person,
    Process,
    versions,
)
from correspondence.models.epochs import EPOCH, numbered_tables
from correspondence.ops import epoch_letters
from correspondence.ops.fingerprints import note_timeline

EVENT_GAP = 100_000
"""Minimum gap in the numbers of a member's events, like EPOCH_NUMBERS for rows."""

LARGEST = 2**31 - 1
"""The largest number that a row can have."""

TYPED = frozenset(str(table.__tablename__) for table in (Match, Exercise, OperatorAct))
"""Tables with numbers that people type: they skip EPOCH_GAMES, all others EPOCH_NUMBERS.

The numbers of seeks follow from these (models/matchmaking.py), not from a sequence.
"""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The start of a new epoch: last time in the database, next game, members notified."""

    kept_until: datetime
    next_game: int
    letters: int = 0


def begin(session: Session, settings: Settings, *, now: datetime, tells_players: bool = True) -> Epoch:
    """Raise every sequence, outdate pages of running games, and notify members of the loss.

    No process of the service may write meanwhile.
    """
    kept_until = last_moment(session) or now
    minutes = max(int((now - kept_until) / timedelta(minutes=1)), 0)
    for name, column in numbered_tables().items():
        least = settings.epoch_games if name in TYPED else settings.epoch_numbers
        _raise(session, name, column, gap(least, minutes), kept_until)
    heard = update(Person).where(col(Person.event_number).is_not(None))
    session.execute(delete(Process))  # processes of the lost machine are not missing
    session.execute(heard.values(event_number=col(Person.event_number) + gap(EVENT_GAP, minutes)))
    if tells_players:
        _outdate_pages(session, EPOCH * (minutes + 1))
    versions.begin_epoch(session)
    note_timeline(session)
    session.flush()
    letters = epoch_letters.tell_players(session, kept_until, now=now) if tells_players else 0
    return Epoch(kept_until, _highest(session, "match", "id") + 1, letters)


def gap(least: int, minutes: int) -> int:
    """Return how many numbers to skip: `least`, and a hundredth of it per lost minute.

    So a second restoration of the same backup skips the numbers used after the first one.
    """
    return least + max(least // 100, 1) * minutes


def _outdate_pages(session: Session, step: int) -> None:
    """Invalidate all positions of running games known to pages, programs or subjects."""
    is_running = col(Match.ended_at).is_(None)
    running = select(Match.id).where(is_running)
    session.execute(update(Event).where(col(Event.match_id).in_(running)).values(takebacks=col(Event.takebacks) + step))
    session.execute(update(Match).where(is_running).values(takebacks=col(Match.takebacks) + step))


def last_moment(session: Session) -> datetime | None:
    """Return the last time recorded in the database; None if it has no entries."""
    moments: Iterable[Any] = (
        session.exec(select(func.max(column))).one() for column in (Heartbeat.at, Move.at, Letter.created_at)
    )
    return max((moment for moment in moments if moment is not None), default=None)


def _raise(session: Session, table: str, column: str, width: int, kept_until: datetime) -> None:
    highest = _highest(session, table, column)
    last = highest + width
    if last > LARGEST:
        raise SettingError(
            f"Rows of {table} would go on at {last}, which is too large: set EPOCH_GAMES and EPOCH_NUMBERS to a tenth."
        )
    session.add(LostNumbers(table_name=table, first=highest + 1, last=last, kept_until=kept_until))
    if _is_sqlite(session):
        session.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), {"table": table})
        session.execute(text("INSERT INTO sqlite_sequence VALUES (:table, :last)"), {"table": table, "last": last})
    else:
        sequence = {"sequence": _sequence(session, table, column), "last": last}
        session.execute(text("SELECT setval(CAST(:sequence AS regclass), :last)"), sequence)


def _highest(session: Session, table: str, column: str) -> int:
    """Return the highest number given so far, even if its row is gone."""
    there = session.execute(text(f'SELECT max({column}) FROM "{table}"')).scalar() or 0
    if _is_sqlite(session):
        given = session.execute(text("SELECT max(seq) FROM sqlite_sequence WHERE name = :table"), {"table": table})
    else:
        given = session.execute(text(f"SELECT last_value FROM {_sequence(session, table, column)} WHERE is_called"))
    return max(there, given.scalar() or 0)


def _sequence(session: Session, table: str, column: str) -> str:
    """Return the name of a column's sequence, quoted if necessary."""
    found = text("SELECT pg_get_serial_sequence(:table, :column)")
    return str(session.execute(found, {"table": f'"{table}"', "column": column}).scalar_one())


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
