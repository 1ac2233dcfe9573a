"""A logging filter that writes one line a minute about a lasting trouble, with a count of the rest.

The same trouble is the same place in the code with the same words, whatever numbers stand in them. A database that does not
answer is one trouble wherever it is noticed.
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
"""Seconds from one line about a trouble to the next."""

DATABASE = {"trouble": "database"}
"""The `extra` of a line that says, without its traceback, that the database does not answer."""

_MOST_KEPT = 1_000
_NUMBER = re.compile(r"\d+")


class OnceAMinute(logging.Filter):
    """Lets each warning or error through once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._seen: dict[Hashable, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; it then says how many like it were not."""
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
        """Drop what is over, once much is kept."""
        if len(self._seen) >= _MOST_KEPT:
            self._seen = {key: seen for key, seen in self._seen.items() if now - seen[0] < MINUTE}


def _trouble(record: logging.LogRecord) -> Hashable:
    """What is the same for all lines about one trouble."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (OperationalError, InterfaceError, PoolTimeout)):
        return DATABASE["trouble"]
    place = record.pathname, record.lineno, type(error), _NUMBER.sub("#", _words(record))
    return getattr(record, "trouble", place)


def _words(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):  # a mistake in the logging call, which logging itself reports
        return str(record.msg)
