"""The database: engine, sessions and transactions."""

from __future__ import annotations

import copy
import secrets
import sqlite3
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, RowMapping, event, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session, create_engine

from correspondence.core.caching import cached
from correspondence.core.config import SettingError

LONGEST_WAIT = 30.0
"""Maximum time for which an SQLite connection waits for another writer, in seconds."""

_KILOBYTES = 1_024
"""Page cache of each SQLite connection, in KiB; small, as the operating system caches too."""

_KEPT, _FURTHER = 5, 10
"""Pool size of PostgreSQL connections for each process, and its maximum overflow."""

CONNECTIONS = _KEPT + _FURTHER
"""Maximum PostgreSQL connections of a process; further threads wait for one."""

NO_KEY_UPDATE = {"key_share": True}
"""Lock mode of a person's row: FOR NO KEY UPDATE on PostgreSQL.

Transactions that lock it wait only for each other: rows that refer to the person, such as letters and moves, can be
written meanwhile. FOR UPDATE would block these too, and two transactions could deadlock.
"""

_READS, _READER = "correspondence_reads", "correspondence_reader"
"""Key that marks read-only sessions and connections; key of the read-only engine."""

_CACHE, _CACHE_SIZE, _ABSENT = "correspondence_known", 200, "correspondence_absent"

_ASKED, _CONNECTION, _TOGETHER = "correspondence_asked", "correspondence_connection", "correspondence_together"

_MARK = "correspondence_mark"
"""Engine option with an id of the database, which separates cached results by database."""

Result = TypeVar("Result")


def make_engine(url: str) -> Engine:
    """Create an engine for SQLite or PostgreSQL; threads and processes may share the database."""
    options: dict[str, Any] = {"hide_parameters": True, "execution_options": {_MARK: secrets.token_hex()}}
    if not url.startswith("sqlite"):
        address, arguments = _without_prepare_threshold(make_url(url))
        options["connect_args"] = arguments
        return create_engine(address, pool_size=_KEPT, max_overflow=_FURTHER, pool_pre_ping=True, **options)
    engine = create_engine(url, connect_args={"timeout": LONGEST_WAIT, "check_same_thread": False}, **options)
    event.listen(engine, "connect", _on_connect)
    _hold_locks_at_once(engine)
    return engine


def _without_prepare_threshold(url: URL) -> tuple[URL, dict[str, int | None]]:
    """Move `prepare_threshold` from a URL to psycopg's arguments. Raises SettingError."""
    words = url.query.get("prepare_threshold")
    if words is None:
        return url, {}
    if words != "none" and not str(words).isdigit():
        raise SettingError(f"DATABASE_URL: prepare_threshold is a number, or none behind pgbouncer, not “{words}”.")
    threshold = None if words == "none" else int(str(words))
    return url.difference_update_query(["prepare_threshold"]), {"prepare_threshold": threshold}


def libpq_address(url: URL) -> str:
    """Return a database's address for PostgreSQL programs: all hosts, no password."""
    from psycopg.conninfo import make_conninfo

    arguments = url.get_dialect()().create_connect_args(_without_prepare_threshold(url)[0])[1]
    return make_conninfo(**{name: value for name, value in arguments.items() if name != "password"})


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """Context manager: a session that commits at the end, or rolls back on an exception."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def read_then_write(engine: Engine, work: Callable[[Session], None]) -> None:
    """Run `work` in a transaction that takes SQLite's write lock only at its first write.

    SQLite refuses the lock if another transaction has written since the start; `work` then runs again with the lock.
    """
    try:
        with transaction(read_only(engine)) as session:
            work(session)
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        with transaction(engine) as session:
            work(session)


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """Context manager: a read-only session, which does not block writers on SQLite.

    A lost connection on closing is not an error: every query was answered.
    """
    session = Session(read_only(engine), expire_on_commit=False)
    session.info[_READS] = True
    try:
        yield session
    finally:
        with suppress(DBAPIError):
            session.close()


@contextmanager
def unsynced(engine: Engine) -> Iterator[Connection]:
    """Context manager: a transaction that does not wait for the disk, for repeatable work.

    A power failure can lose it, but killing the process does not. The next transaction makes it durable.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            with _in_log_alone(connection), connection.begin():
                yield connection
        else:
            with connection.begin():
                connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                yield connection


@contextmanager
def _in_log_alone(connection: Connection) -> Iterator[None]:
    """Context manager: commit to SQLite's log without a disk sync; no transaction may be open."""
    driver: Any = connection.connection
    ((usual,),) = driver.execute("PRAGMA synchronous").fetchall()
    driver.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA synchronous = {usual}")


def read_only(engine: Engine) -> Engine:
    """Return the read-only engine: on SQLite, readers and writers do not block each other."""
    reader: Engine = engine.get_execution_options().get(_READER, engine)
    return reader


def session_cache(session: Session) -> dict[Any, Any]:
    """Return the row cache of a session; it is emptied on commit or rollback."""
    cache: dict[Any, Any] = session.info.setdefault(_CACHE, {})
    if len(cache) > _CACHE_SIZE:  # an export may read many rows once; do not cache them all
        cache.clear()
    return cache


def only_reads(session: Session) -> bool:
    """Whether a session is read-only (`reading`), so that cached rows stay valid."""
    return _READS in session.info


def holds_all(session: Session) -> bool:
    """Whether no other transaction can write until this one ends: a writing session on SQLite."""
    return not only_reads(session) and session.get_bind().dialect.name == "sqlite"


def cached_read(session: Session, key: Hashable, read: Callable[[], Result]) -> Result:
    """Return the result of `read`; a read-only session calls it once per `key`."""
    if not only_reads(session):
        return read()
    cache = session_cache(session)
    if key not in cache:
        cache[key] = read()
    result: Result = cache[key]
    return result


def mark_of(engine: Engine) -> str:
    """Return the id that distinguishes this database from others in the process."""
    return str(engine.get_execution_options()[_MARK])


def remembered(session: Session, version: Hashable, read: Callable[[], Result]) -> Result:
    """Return the result of `read`, cached across sessions by `version`.

    `version` must change whenever the result may change. Only read-only sessions use the cache.
    """
    mark = session.get_bind().get_execution_options().get(_MARK)
    if not only_reads(session) or mark is None:
        return read()
    return _remembered(mark, version, read)


@cached(1_000, key=lambda mark, version, read: (mark, version))
def _remembered(mark: str, version: Hashable, read: Callable[[], Result]) -> Result:
    return read()


def note_absent(session: Session, keys: Callable[[], Iterable[Hashable]]) -> None:
    """Register which rows do not exist, so that `is_absent` saves a read-only session the query.

    `keys` is called at the first check.
    """
    if only_reads(session):
        session.info[_ABSENT] = keys


def is_absent(session: Session, *key: Hashable) -> bool:
    """Whether the session knows that no row exists for `key`: a table and the ids of its owners."""
    absent = session.info.get(_ABSENT, ())
    if callable(absent):
        absent = session.info[_ABSENT] = frozenset(absent())
    return key in absent


def connection(session: Session) -> Connection:
    """Return the connection of the session's transaction, cached in the session."""
    kept: Connection | None = session.info.get(_CONNECTION)
    if kept is None:
        kept = session.info[_CONNECTION] = session.connection()
    return kept


def rows(session: Session, statement: Executable, **params: Any) -> Sequence[Any]:
    """Return the rows of a statement about columns; twice as fast as `session.exec`.

    Pending changes are flushed first.
    """
    if session.autoflush:
        session.flush()
    return connection(session).execute(statement, params).all()


def row(session: Session, statement: Executable, **params: Any) -> RowMapping:
    """Return the only row of a statement as a mapping by column name."""
    if session.autoflush:
        session.flush()
    return connection(session).execute(statement, params).mappings().one()


def value(session: Session, statement: Executable, **params: Any) -> Any:
    """Return the first column of the first row of a statement; None if there is no row."""
    found = rows(session, statement, **params)
    return found[0][0] if found else None


@contextmanager
def written_at_once(session: Session) -> Iterator[None]:
    """Context manager: write pending rows before the block, and the block's rows at its end.

    The block must not query what it changes. A nested block has no effect.
    """
    if not session.autoflush:
        yield
        return
    session.flush()
    together: dict[Executable, list[dict[str, Any]]] = {}
    session.info[_TOGETHER] = together
    try:
        with session.no_autoflush:
            yield
    finally:
        del session.info[_TOGETHER]
    session.flush()
    for statement, those in together.items():
        connection(session).execute(statement, those)


def insert_row(session: Session, statement: Executable, row: dict[str, Any]) -> None:
    """Insert a row that this session never changes: at once, or at the end of `written_at_once`.

    It bypasses the ORM, which would take four times as long. Rows that it refers to must exist already.
    """
    together = session.info.get(_TOGETHER)
    if together is None:
        connection(session).execute(statement, row)
    else:
        together.setdefault(statement, []).append(row)


@contextmanager
def asking_once(session: Session) -> Iterator[None]:
    """Context manager: keep prefetched results in `asked` until the block ends.

    The block must not change their rows. A nested block has no effect.
    """
    if _ASKED in session.info:
        yield
        return
    session.info[_ASKED] = {}
    try:
        yield
    finally:
        del session.info[_ASKED]


def asked(session: Session) -> dict[Any, Any]:
    """Return the prefetched results of the current `asking_once` block; empty outside of one."""
    found: dict[Any, Any] = session.info.get(_ASKED, {})
    return found


def write_unless(engine: Engine, is_done: Callable[[Session], bool], write: Callable[[Session], None]) -> bool:
    """Run `write` in its own transaction unless `is_done`, which is checked first without locks.

    Returns whether `write` ran. It must be idempotent, because two processes may run it.
    """
    with reading(engine) as session:
        if is_done(session):
            return False
    with transaction(engine) as session:
        write(session)
    return True


def insert_into(session: Session, table: Any) -> Any:
    """Return an INSERT in the session's SQL dialect, which supports ON CONFLICT."""
    dialect = import_module(
        f"sqlalchemy.dialects.{session.get_bind().dialect.name}"
    )  # avoids loading the dialect of the other database
    return dialect.insert(table)


def add_unless_there(session: Session, row: Any) -> None:
    """Add a row; if another process adds the same key concurrently, keep that row."""
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
    except IntegrityError:
        session.expire_all()


def _clear_session_cache(session: Session, _rolled_back: SessionTransaction | None = None) -> None:
    for kept in (_CACHE, _ABSENT):
        session.info.pop(kept, None)


def _forget_connection(session: Session, ended: SessionTransaction) -> None:
    if ended.parent is None:
        session.info.pop(_CONNECTION, None)


event.listen(Session, "after_commit", _clear_session_cache)
event.listen(Session, "after_soft_rollback", _clear_session_cache)
event.listen(Session, "after_transaction_end", _forget_connection)


def _on_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # otherwise the driver begins transactions itself, too late
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{_KILOBYTES}")


def _write_ahead(connection: Any) -> None:
    """Enable the write-ahead log; wait while another process enables it for a new file."""
    until = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        time.sleep(0.05)


def _hold_locks_at_once(engine: Engine) -> None:
    """Begin SQLite transactions with the write lock, except those of `read_only`.

    A transaction that reads before it writes needs the lock from the start; otherwise two transactions could both play
    a turn. A “begin” listener would slow down every statement, so the dialect's method is replaced. The dialect is
    copied after the first connection, because it knows its database only then.
    """
    reader = engine.execution_options(**{_READS: True})
    engine.update_execution_options(**{_READER: reader})
    _begin_by(engine, "BEGIN IMMEDIATE")

    def on_connect(_connection: Any, _record: Any) -> None:
        if reader.dialect is engine.dialect:  # otherwise this is not the first connection
            reader.dialect = copy.copy(engine.dialect)
            _begin_by(reader, "BEGIN")

    event.listen(engine, "connect", on_connect)


def _begin_by(engine: Engine, statement: str) -> None:
    def do_begin(connection: Any) -> None:
        connection.execute(statement)

    engine.dialect.do_begin = do_begin  # type: ignore[assignment, method-assign]
