"""A new epoch, after a restore or a failover: no number that the lost machine may have given is given again.

Tokens, letters, games and persons are known by the numbers of their rows, in addresses, keys, signatures and caches. A
database that goes on from an earlier moment would give the same numbers to others. So every sequence is raised first.
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
"""By how much the numbers of a member's events go on at least, as EPOCH_NUMBERS says it of rows."""

LARGEST = 2**31 - 1
"""The largest number that a row can have."""

TYPED = frozenset(str(table.__tablename__) for table in (Match, Exercise, OperatorAct))
"""The tables whose numbers people type: they go on by EPOCH_GAMES, all others by EPOCH_NUMBERS.

The numbers of seeks follow from what these say (models/matchmaking.py), not from a sequence."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What a new epoch begins with: `kept_until` is the last moment that is left, `letters` how many members are told."""

    kept_until: datetime
    next_game: int
    letters: int = 0


def begin(session: Session, settings: Settings, *, now: datetime, tells_players: bool = True) -> Epoch:
    """Raise every sequence, outdate what pages know of running games, and tell members from which moment on all is lost.

    No process of the service may write meanwhile.
    """
    kept_until = last_moment(session) or now
    minutes = max(int((now - kept_until) / timedelta(minutes=1)), 0)
    for name, column in numbered_tables().items():
        least = settings.epoch_games if name in TYPED else settings.epoch_numbers
        _raise(session, name, column, gap(least, minutes), kept_until)
    heard = update(Person).where(col(Person.event_number).is_not(None))
    session.execute(delete(Process))  # those of the lost machine, which nobody is to miss
    session.execute(heard.values(event_number=col(Person.event_number) + gap(EVENT_GAP, minutes)))
    if tells_players:
        _outdate_pages(session, EPOCH * (minutes + 1))
    versions.begin_epoch(session)
    note_timeline(session)
    session.flush()
    letters = epoch_letters.tell_players(session, kept_until, now=now) if tells_players else 0
    return Epoch(kept_until, _highest(session, "match", "id") + 1, letters)


def gap(least: int, minutes: int) -> int:
    """How many numbers are left out: `least`, and a hundredth of that for each minute since the last moment that is kept.

    So a backup that is restored a second time goes on beyond what was given after the first time.
    """
    return least + max(least // 100, 1) * minutes


def _outdate_pages(session: Session, step: int) -> None:
    """Let no page, program or subject name a position of a running game that it knows from before."""
    is_running = col(Match.ended_at).is_(None)
    running = select(Match.id).where(is_running)
    session.execute(update(Event).where(col(Event.match_id).in_(running)).values(takebacks=col(Event.takebacks) + step))
    session.execute(update(Match).where(is_running).values(takebacks=col(Match.takebacks) + step))


def last_moment(session: Session) -> datetime | None:
    """The last moment of which the database knows anything; None where nothing has happened yet."""
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
    """The highest number that this database knows to have been given, whether or not its row is there."""
    there = session.execute(text(f'SELECT max({column}) FROM "{table}"')).scalar() or 0
    if _is_sqlite(session):
        given = session.execute(text("SELECT max(seq) FROM sqlite_sequence WHERE name = :table"), {"table": table})
    else:
        given = session.execute(text(f"SELECT last_value FROM {_sequence(session, table, column)} WHERE is_called"))
    return max(there, given.scalar() or 0)


def _sequence(session: Session, table: str, column: str) -> str:
    """The name of the sequence of a column, quoted where that is needed."""
    found = text("SELECT pg_get_serial_sequence(:table, :column)")
    return str(session.execute(found, {"table": f'"{table}"', "column": column}).scalar_one())


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
