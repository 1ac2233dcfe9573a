"""Log redaction: no mail address, token, password, database row or player's text is logged.

Records are redacted when they are created, before any handler sees them, so libraries and their debug output are
covered. Logging is global to the process. So each installation in it attaches a redaction, which applies to every
record until it is closed.
"""

from __future__ import annotations

import logging
import re
import traceback
from dataclasses import dataclass
from typing import Any

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from correspondence.core.config import Settings
from correspondence.core.tokens import API_PREFIX, masked

_ADDRESS = re.compile(r"[^\s@<>\"]+@(?=[\w\[])")
_TOKEN = re.compile(rf"\b(?:[a-z2-7]{{26}}|{API_PREFIX}[a-z2-7]{{4,}})\b", re.IGNORECASE)
_QUERY = re.compile(r'("?\b(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH) [^ ?"]*\?)[^ "]*')
"""Matches the query string of a request line, which a visitor may have typed."""
_OPERATIONAL = {"sqlalchemy", "psycopg", "sqlite3", "smtplib", "imaplib", "imapclient", "alembic", "jinja2"}
"""Packages whose error messages are useful in their first line, and never quote players."""

_VERBATIM = ("sqlalchemy.", "mail.log", "imap")
"""Loggers whose debug output contains database rows or incoming mail."""

_SHORTEST_SECRET = 4
_MOST_CAUSES = 5

attached: list[Redaction] = []
"""Redactions that are not closed yet, oldest first."""


@dataclass(frozen=True, slots=True, eq=False)
class Redaction:
    """Redaction of every log record of this process, with the secrets of one installation."""

    secrets: frozenset[str]

    def close(self) -> None:
        """Detach this redaction and its secrets; closing the last one ends all redaction."""
        if self in attached:
            attached.remove(self)
        if not attached and logging.getLogRecordFactory() is _record:
            logging.setLogRecordFactory(logging.LogRecord)


def attach(settings: Settings) -> Redaction:
    """Redact every later log record of this process, including the secrets in these settings."""
    redaction = Redaction(frozenset(secret for secret in _secrets_of(settings) if len(secret) >= _SHORTEST_SECRET))
    attached.append(redaction)
    if logging.getLogRecordFactory() is not _record:
        logging.setLogRecordFactory(_record)
    return redaction


def redacted(text: str) -> str:
    """Return `text` without tokens, local parts of mail addresses, and attached secrets."""
    for secret in sorted({secret for one in tuple(attached) for secret in one.secrets}, key=len, reverse=True):
        text = text.replace(secret, "…")
    return _ADDRESS.sub("…@", _TOKEN.sub("…", _QUERY.sub(r"\1…", masked(text))))


def _secrets_of(settings: Settings) -> list[str]:
    secrets = [settings.secret_key]
    for url in (settings.database_url, settings.mail_send, settings.mail_fetch, settings.mail_listen):
        try:
            password = make_url(url).password if "@" in url else None
        except (ArgumentError, ValueError):
            password = None
        if password:
            secrets += [str(password), url.partition("://")[2].rpartition("@")[0].partition(":")[2]]
    return secrets


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = logging.LogRecord(*args, **kwargs)
    if record.name.startswith(_VERBATIM) and record.levelno < logging.INFO:
        record.msg, record.args = "what was read here is not logged", ()
        return record
    try:
        message = record.getMessage()
    except (TypeError, ValueError, KeyError):
        return record  # a mistake in the logging call, which the logging module reports
    record.msg, record.args = redacted(message), ()
    if record.exc_info and record.exc_info[1] is not None:
        record.exc_text = redacted_traceback(record.exc_info[1])
    return record


def redacted_traceback(error: BaseException) -> str:
    """Return the tracebacks of an error and its causes, with only operational errors' messages."""
    tracebacks: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(tracebacks) < _MOST_CAUSES:
        frames = "".join(traceback.format_tb(cause.__traceback__)).rstrip()
        tracebacks.append(redacted(f"Traceback (most recent call last):\n{frames}\n{_type_and_message(cause)}"))
        cause = cause.__cause__ or cause.__context__
    return "\n\nwhile this was handled:\n".join(tracebacks)


def _type_and_message(error: BaseException) -> str:
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, OSError) or kind.partition(".")[0] in _OPERATIONAL:
        return f"{kind}: {str(error).partition(chr(10))[0]}"
    return kind
