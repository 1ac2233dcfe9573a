"""How a line of the log looks: time in UTC, level, where it comes from, what it is about, and the message.

What it is about is a number, never a name: `request 3f9c21`, `message 12`, `letter 7`, `sweep outbox`. So everything
that belongs together can be found, and nothing that people wrote is needed for it (core/log_redaction.py).
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
    """Context manager: lines logged within the block say that they are about this."""
    token = _about.set(what)
    try:
        yield
    finally:
        _about.reset(token)


def log_from_now_on_about(what: str) -> None:
    """Let lines of this thread say that they are about this, until it is about something else."""
    _about.set(what)


class TextFormatter(logging.Formatter):
    """A line for people: `2026-11-23T02:45:20.123Z WARNING correspondence.ops.worker [message 12] it failed`."""

    def __init__(self) -> None:
        super().__init__("%(moment)s %(levelname)s %(name)s%(about)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line; a traceback follows below it."""
        about = _about.get()
        record.moment, record.about = _moment(record), f" [{about}]" if about else ""
        return super().format(record)


class JsonFormatter(logging.Formatter):
    """A line for programs: one JSON object with `time`, `level`, `logger`, `message`, and `about` or `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
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
"""The formatters by the value of LOG_FORMAT."""


def set_up_logging(settings: Settings) -> None:
    """Let this process write its log to standard error, as LOG_FORMAT says. Raises SettingError."""
    if settings.log_format not in FORMATS:
        raise SettingError(f"LOG_FORMAT must be {' or '.join(FORMATS)}, not “{settings.log_format}”.")
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[settings.log_format]())
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
