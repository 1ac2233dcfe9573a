"""The database: engine, sessions, transactions, and bringing the tables up to date."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, event
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session, create_engine

from correspondence.core.resources import folder

MIGRATIONS = folder("migrations")
"""The folder of the migrations."""

_READS = "correspondence_reads"

Answer = TypeVar("Answer")

_KNOWN, _MOST_KNOWN = "correspondence_known", 200


def make_engine(url: str) -> Engine:
    """An engine for SQLite or PostgreSQL; several threads and processes may share the database."""
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": 30, "check_same_thread": False}, hide_parameters=True)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session whose work is committed at the end, or undone when an exception leaves the block."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only looks: nothing is committed, and on SQLite no writer waits for it."""
    with Session(engine.execution_options(**{_READS: True}), expire_on_commit=False) as session:
        session.info[_READS] = True
        yield session


def known(session: Session) -> dict[Any, Any]:
    """What a session remembers of rows that it is asked for again and again, until it commits or undoes anything."""
    remembered: dict[Any, Any] = session.info.setdefault(_KNOWN, {})
    if len(remembered) > _MOST_KNOWN:  # a long export reads more than it needs again
        remembered.clear()
    return remembered


def once(session: Session, question: Hashable, ask: Callable[[], Answer]) -> Answer:
    """What `ask` answers; a session that only looks asks the same question once, any other each time."""
    if _READS not in session.info:
        return ask()
    answers = known(session)
    if question not in answers:
        answers[question] = ask()
    answer: Answer = answers[question]
    return answer


def _forget(session: Session, _undone: SessionTransaction | None = None) -> None:
    session.info.pop(_KNOWN, None)


event.listen(Session, "after_commit", _forget)
event.listen(Session, "after_soft_rollback", _forget)


def prepare(engine: Engine) -> None:
    """Bring the tables up to date, making them where there are none."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _on_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # or the driver begins transactions late, and behind our back
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _on_begin(connection: Any) -> None:
    looks = connection.get_execution_options().get(_READS)
    # a transaction that reads first and writes later must hold the lock from the start, or a turn is played twice
    connection.exec_driver_sql("BEGIN" if looks else "BEGIN IMMEDIATE")
