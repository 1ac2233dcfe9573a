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
"""For how many seconds a connection to SQLite waits for another that writes."""

_KILOBYTES = 1_024
"""How much of an SQLite file each connection keeps in memory; the operating system keeps the file for all of them."""

_KEPT, _FURTHER = 5, 10
"""How many connections to PostgreSQL a process keeps open, and how many more it opens while they are needed."""

CONNECTIONS = _KEPT + _FURTHER
"""The most connections to PostgreSQL that a process opens; who needs one more waits."""

NO_KEY_UPDATE = {"key_share": True}
"""How a person's row is locked: FOR NO KEY UPDATE on PostgreSQL.

Who locks it waits for each other, and nobody else: rows that refer to the person, such as those of their letters and
moves, can be written meanwhile. FOR UPDATE would stop these too, and two transactions could wait for each other.
"""

_READS, _READER = "correspondence_reads", "correspondence_reader"
"""Marks read-only sessions and connections; names the engine of these connections among the options of the other."""

_CACHE, _CACHE_SIZE, _ABSENT = "correspondence_known", 200, "correspondence_absent"

_ASKED, _CONNECTION, _TOGETHER = "correspondence_asked", "correspondence_connection", "correspondence_together"

_MARK = "correspondence_mark"
"""Tells what is remembered of one database from what is remembered of another in the same process."""

Result = TypeVar("Result")


def make_engine(url: str) -> Engine:
    """An engine for SQLite or PostgreSQL; several threads and processes may share the database."""
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
    """Take `prepare_threshold` out of a URL, as psycopg wants it: `none` prepares no statements. Raises SettingError."""
    words = url.query.get("prepare_threshold")
    if words is None:
        return url, {}
    if words != "none" and not str(words).isdigit():
        raise SettingError(f"DATABASE_URL: prepare_threshold is a number, or none behind pgbouncer, not “{words}”.")
    threshold = None if words == "none" else int(str(words))
    return url.difference_update_query(["prepare_threshold"]), {"prepare_threshold": threshold}


def libpq_address(url: URL) -> str:
    """The address of a database as programs of PostgreSQL take it, several hosts included, without its password."""
    from psycopg.conninfo import make_conninfo

    arguments = url.get_dialect()().create_connect_args(_without_prepare_threshold(url)[0])[1]
    return make_conninfo(**{name: value for name, value in arguments.items() if name != "password"})


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session that is committed at the end of the block, or rolled back when an exception leaves it."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def read_then_write(engine: Engine, work: Callable[[Session], None]) -> None:
    """Run `work` in a transaction that takes SQLite's write lock at its first write, and not when it begins.

    If another transaction has written since it began, the lock is refused; then `work` runs once more with the lock.
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
    """A read-only session: nothing is committed, and on SQLite it does not block writers.

    A database that goes away before the session is closed has answered all that was asked, so that is no error.
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
    """A transaction whose end does not wait for the disk: for what would merely be done again after a power failure.

    A process that is killed loses nothing of it, and the next transaction makes it as durable as itself.
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
    """Let what ends in this block stay in SQLite's log without waiting for the disk; no transaction may be open."""
    driver: Any = connection.connection
    ((usual,),) = driver.execute("PRAGMA synchronous").fetchall()
    driver.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA synchronous = {usual}")


def read_only(engine: Engine) -> Engine:
    """The same engine for connections that only read: on SQLite they do not wait for writers, nor writers for them."""
    reader: Engine = engine.get_execution_options().get(_READER, engine)
    return reader


def session_cache(session: Session) -> dict[Any, Any]:
    """A cache of rows that one session reads repeatedly; emptied when the session commits or rolls back."""
    cache: dict[Any, Any] = session.info.setdefault(_CACHE, {})
    if len(cache) > _CACHE_SIZE:  # a long export reads more than it needs again
        cache.clear()
    return cache


def only_reads(session: Session) -> bool:
    """Whether this is a session of `reading`, in which a row stays as it was read."""
    return _READS in session.info


def holds_all(session: Session) -> bool:
    """Whether nobody else writes before this transaction ends: on SQLite, where one that may write holds everything."""
    return not only_reads(session) and session.get_bind().dialect.name == "sqlite"


def cached_read(session: Session, key: Hashable, read: Callable[[], Result]) -> Result:
    """The result of `read`: a read-only session runs it once per `key`, any other session each time."""
    if not only_reads(session):
        return read()
    cache = session_cache(session)
    if key not in cache:
        cache[key] = read()
    result: Result = cache[key]
    return result


def mark_of(engine: Engine) -> str:
    """What tells this database from another one in the same process."""
    return str(engine.get_execution_options()[_MARK])


def remembered(session: Session, version: Hashable, read: Callable[[], Result]) -> Result:
    """The result of `read`: asked by read-only sessions once for each version, which says all that it depends on."""
    mark = session.get_bind().get_execution_options().get(_MARK)
    if not only_reads(session) or mark is None:
        return read()
    return _remembered(mark, version, read)


@cached(1_000, key=lambda mark, version, read: (mark, version))
def _remembered(mark: str, version: Hashable, read: Callable[[], Result]) -> Result:
    return read()


def note_absent(session: Session, keys: Callable[[], Iterable[Hashable]]) -> None:
    """Let a read-only session know what there is nothing of, so that `is_absent` spares it the statement.

    `keys` is called when that is asked for the first time.
    """
    if only_reads(session):
        session.info[_ABSENT] = keys


def is_absent(session: Session, *key: Hashable) -> bool:
    """Whether the session knows already that there is nothing of this: a table, and whose rows."""
    absent = session.info.get(_ABSENT, ())
    if callable(absent):
        absent = session.info[_ABSENT] = frozenset(absent())
    return key in absent


def connection(session: Session) -> Connection:
    """The connection of the session's transaction, which the session need not look for each time."""
    kept: Connection | None = session.info.get(_CONNECTION)
    if kept is None:
        kept = session.info[_CONNECTION] = session.connection()
    return kept


def rows(session: Session, statement: Executable, **params: Any) -> Sequence[Any]:
    """The rows of a statement about columns; half the work of `session.exec`, which prepares for objects.

    What the session has not written yet is written first, as everywhere.
    """
    if session.autoflush:
        session.flush()
    return connection(session).execute(statement, params).all()


def row(session: Session, statement: Executable, **params: Any) -> RowMapping:
    """The one row of a statement that always has one, by the names of its columns; asked as by `rows`."""
    if session.autoflush:
        session.flush()
    return connection(session).execute(statement, params).mappings().one()


def value(session: Session, statement: Executable, **params: Any) -> Any:
    """The first column of the first row that `rows` finds; None where there is none."""
    found = rows(session, statement, **params)
    return found[0][0] if found else None


@contextmanager
def written_at_once(session: Session) -> Iterator[None]:
    """Write what is pending before the block, and what the block changes at its end, each row once.

    The block must not ask by a statement about what it changes itself. A block within such a block adds nothing.
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
    """Insert a row that nobody changes in this session: at once, or at the end of a block of `written_at_once`.

    It becomes no object of the session, which takes four times as long. What it refers to must be written before.
    """
    together = session.info.get(_TOGETHER)
    if together is None:
        connection(session).execute(statement, row)
    else:
        together.setdefault(statement, []).append(row)


@contextmanager
def asking_once(session: Session) -> Iterator[None]:
    """Keep in `asked` what the block asks ahead, and forget it at its end.

    The block changes nothing of that. A block within such a block adds nothing.
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
    """What a block of `asking_once` has asked ahead, by what it is; nothing outside of such a block."""
    found: dict[Any, Any] = session.info.get(_ASKED, {})
    return found


def write_unless(engine: Engine, is_done: Callable[[Session], bool], write: Callable[[Session], None]) -> bool:
    """Write in a transaction of its own, unless a look beforehand, which locks nothing, shows that it is done.

    Returns whether it was written. What two processes do at once, `write` must bear to do twice.
    """
    with reading(engine) as session:
        if is_done(session):
            return False
    with transaction(engine) as session:
        write(session)
    return True


def insert_into(session: Session, table: Any) -> Any:
    """An INSERT in the words of this session's database, which may say what happens ON CONFLICT."""
    dialect = import_module(f"sqlalchemy.dialects.{session.get_bind().dialect.name}")  # the other one is not loaded
    return dialect.insert(table)


def add_unless_there(session: Session, row: Any) -> None:
    """Add a row whose key another process may be adding at the same moment; theirs stays."""
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
    connection.isolation_level = None  # else the driver begins transactions by itself, and too late
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{_KILOBYTES}")


def _write_ahead(connection: Any) -> None:
    """Keep a write-ahead log. SQLite does not wait for a process that is switching a new file to it, so this does."""
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
    """Let transactions on SQLite begin by taking the lock of writers, but those of `read_only` without it.

    Who reads first and writes later must hold the lock from the start, or a turn is played twice. A listener on "begin"
    could say so too, but where there is one SQLAlchemy looks for listeners at each statement. What a dialect knows of
    its database it knows after the first connection, so it is copied then.
    """
    reader = engine.execution_options(**{_READS: True})
    engine.update_execution_options(**{_READER: reader})
    _begin_by(engine, "BEGIN IMMEDIATE")

    def on_connect(_connection: Any, _record: Any) -> None:
        if reader.dialect is engine.dialect:  # else this is not the first connection
            reader.dialect = copy.copy(engine.dialect)
            _begin_by(reader, "BEGIN")

    event.listen(engine, "connect", on_connect)


def _begin_by(engine: Engine, statement: str) -> None:
    def do_begin(connection: Any) -> None:
        connection.execute(statement)

    engine.dialect.do_begin = do_begin  # type: ignore[assignment, method-assign]
