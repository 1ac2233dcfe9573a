"""Log line formats: UTC time, level, logger, subject and message.

The subject identifies the work by a number, never by a name: `request 3f9c21`, `message 12`, `letter 7`, `sweep
outbox`. It groups related lines without anything that people wrote (core/log_redaction.py).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from correspondence.core.config import SettingError, Settings
from correspondence.core.log_repeats import OnceAMinute

_about: ContextVar[str] = ContextVar("about", default="")


@contextmanager
def logging_about(what: str) -> Iterator[None]:
    """Context manager: give log lines in the block the subject `what`."""
    token = _about.set(what)
    try:
        yield
    finally:
        _about.reset(token)


def log_from_now_on_about(what: str) -> None:
    """Set the subject of this thread's log lines until it is changed."""
    _about.set(what)


class TextFormatter(logging.Formatter):
    """Formatter for people: `2026-11-23T02:45:20.123Z WARNING worker [message 12] it failed`."""

    def __init__(self) -> None:
        super().__init__("%(moment)s %(levelname)s %(name)s%(about)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, with any traceback below it."""
        about = _about.get()
        record.moment, record.about = _moment(record), f" [{about}]" if about else ""
        return super().format(record)


class JsonFormatter(logging.Formatter):
    """Formatter for programs: one JSON object a line, without empty fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        fields = {
            "time": _moment(record),
            "level": record.levelname,
            "logger": record.name,
            "about": _about.get(),
            "message": record.getMessage(),
            "traceback": record.exc_text or (self.formatException(record.exc_info) if record.exc_info else ""),
        }
        return json.dumps({name: text for name, text in fields.items() if text}, ensure_ascii=False)


FORMATS = {"text": TextFormatter, "json": JsonFormatter}
"""Formatters by the value of LOG_FORMAT."""


def set_up_logging(settings: Settings) -> None:
    """Log this process to standard error in the format of LOG_FORMAT. Raises SettingError."""
    if settings.log_format not in FORMATS:
        raise SettingError(f"LOG_FORMAT must be {' or '.join(FORMATS)}, not “{settings.log_format}”.")
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[settings.log_format]())
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
