"""Database change notifications: tell a worker that another process or thread has written.

SQLite counts the changes of its file, which is cheap to poll. PostgreSQL has LISTEN and NOTIFY, which need a dedicated
connection. pgbouncer offers none, so the worker polls unless DATABASE_DIRECT_URL bypasses it.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, NullPool, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from correspondence.core import db
from correspondence.core.config import Settings

log = logging.getLogger(__name__)

CHANNEL = "correspondence"
"""The PostgreSQL channel of NOTIFY."""

LOOK_INTERVAL = 0.1
"""Seconds between two checks for changes of an SQLite file."""

POLL_INTERVAL = 1.0
"""Seconds between two polls without notifications."""


class News(Protocol):
    """Notifications of writes to the database; for use by one thread."""

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for a write; return whether there may have been one."""

    def close(self) -> None:
        """Close the connection."""


def notify(connection: Connection) -> None:
    """Notify all workers, on commit, that there may be work to do."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"NOTIFY {CHANNEL}")


def notify_from(session: Session) -> None:
    """Call `notify` in the transaction of a session."""
    notify(db.connection(session))


def news_of(engine: Engine, settings: Settings) -> News:
    """Return the change notifications of a database."""
    if engine.dialect.name == "sqlite":
        return _Changes(engine)
    return _Notifications(settings.database_direct_url or settings.database_url)


class _Changes:
    """Changes of an SQLite file by other connections."""

    def __init__(self, engine: Engine) -> None:
        self._opened = engine.raw_connection()
        self._driver: Any = self._opened.driver_connection
        self._opened.detach()  # taken from the pool, because the worker keeps it
        self._version = self._asked()

    def wait(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while (version := self._asked()) == self._version:
            if time.monotonic() >= until:
                return False
            time.sleep(min(LOOK_INTERVAL, seconds))
        self._version = version
        return True

    def close(self) -> None:
        self._opened.close()

    def _asked(self) -> int:
        ((version,),) = self._driver.execute("PRAGMA data_version").fetchall()
        return int(version)


class _Notifications:
    """PostgreSQL notifications; without them, a write is assumed every POLL_INTERVAL."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True)
        self._opened: Connection | None = None
        self._is_polling = False

    def wait(self, seconds: float) -> bool:
        try:
            driver: Any = self._listening().connection.driver_connection
            if self._is_polling:
                time.sleep(min(seconds, POLL_INTERVAL))
                return True
            return any(True for _one in driver.notifies(timeout=seconds, stop_after=1))
        except Exception as error:  # includes the driver's errors
            log.warning("the database tells no news until it can be reached again: %s", type(error).__name__)
            self.close()
            time.sleep(min(seconds, POLL_INTERVAL))
            return True

    def close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            with suppress(SQLAlchemyError):
                opened.invalidate()
                opened.close()

    def _listening(self) -> Connection:
        if self._opened is None:
            self._opened = self._engine.connect()
            self._opened.exec_driver_sql(f"LISTEN {CHANNEL}")
            self._is_polling = not self._is_direct(self._opened)
            if self._is_polling:
                log.warning(
                    "the database is reached through a pooler, so the worker looks for news each second;"
                    " DATABASE_DIRECT_URL names an address without one"
                )
        return self._opened

    def _is_direct(self, opened: Connection) -> bool:
        """Whether the connection is direct: a pooler would report another server process."""
        driver: Any = opened.connection.driver_connection
        return bool(opened.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() == driver.info.backend_pid)
