"""Logging filter: one line a minute about a lasting problem, and a count of the others.

Lines are about the same problem if they come from the same place with the same text, digits ignored. An unreachable
database is one problem, wherever it is noticed.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Hashable

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

MINUTE = 60.0
"""Seconds between two lines about a problem."""

DATABASE = {"trouble": "database"}
"""The `extra` argument for a line that reports an unreachable database without a traceback."""

_MOST_KEPT = 1_000
_NUMBER = re.compile(r"\d+")


class OnceAMinute(logging.Filter):
    """Filter that lets each repeated warning or error through once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._seen: dict[Hashable, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; if so, it is given the count of suppressed lines."""
        if record.levelno < logging.WARNING:
            return True
        key, now = _trouble(record), time.monotonic()
        with self._lock:
            told_at, left_out = self._seen.get(key, (now - MINUTE, 0))
            if now - told_at < MINUTE:
                self._seen[key] = told_at, left_out + 1
                return False
            self._forget(now)
            self._seen[key] = now, 0
        if left_out:
            record.msg, record.args = f"{_words(record)} ({left_out} more times since the last such line)", ()
        return True

    def _forget(self, now: float) -> None:
        """Drop expired entries if there are too many."""
        if len(self._seen) >= _MOST_KEPT:
            self._seen = {key: seen for key, seen in self._seen.items() if now - seen[0] < MINUTE}


def _trouble(record: logging.LogRecord) -> Hashable:
    """Return the key of the problem that a line is about."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (OperationalError, InterfaceError, PoolTimeout)):
        return DATABASE["trouble"]
    place = record.pathname, record.lineno, type(error), _NUMBER.sub("#", _words(record))
    return getattr(record, "trouble", place)


def _words(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):  # a mistake in the logging call, which the logging module reports
        return str(record.msg)
