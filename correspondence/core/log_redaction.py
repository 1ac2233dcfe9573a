"""What may stand in a log: no mail address, no token, no password, no row of the database, no words of a player.

Lines are made discreet when they are made, whoever makes them and whoever writes them down, so it holds for
libraries too, and where an operator turns on everything that they can say.
"""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from correspondence.core.config import Settings
from correspondence.core.tokens import masked

_ADDRESS = re.compile(r"[^\s@<>\"]+@(?=[\w\[])")
_TOKEN = re.compile(r"\b(?=[a-z]*[2-7])[a-z2-7]{26}\b", re.IGNORECASE)
_QUERY = re.compile(r'("?\b(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH) [^ ?"]*\?)[^ "]*')
"""What stands behind the question mark of a request: a visitor may have typed anything there."""
_TELLING = {"sqlalchemy", "psycopg", "sqlite3", "smtplib", "imaplib", "alembic", "jinja2"}
"""The packages whose errors say in their first line what an operator must know, and nothing of what players wrote."""

_VERBATIM = ("sqlalchemy.", "mail.log", "imap")
"""Loggers whose finest lines repeat rows of the database, or letters as they come in."""

_SHORTEST_SECRET = 4
_CAUSES = 5

_secrets: set[str] = set()


def attach(settings: Settings) -> None:
    """Make every line that this process logs discreet from now on, and remember what these settings hold in secret."""
    _secrets.update(found for found in _secrets_of(settings) if len(found) >= _SHORTEST_SECRET)
    if logging.getLogRecordFactory() is not _record:
        logging.setLogRecordFactory(_record)


def discreet(text: str) -> str:
    """`text` without passwords, tokens and the names before the @ of addresses."""
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, "…")
    return _ADDRESS.sub("…@", _TOKEN.sub("…", _QUERY.sub(r"\1…", masked(text))))


def _secrets_of(settings: Settings) -> list[str]:
    found = [settings.secret_key]
    for url in (settings.database_url, settings.mail_send, settings.mail_fetch, settings.mail_listen):
        try:
            password = make_url(url).password if "@" in url else None
        except (ArgumentError, ValueError):
            password = None
        if password:
            found += [str(password), url.partition("://")[2].rpartition("@")[0].partition(":")[2]]
    return found


def _record(*given: Any, **more: Any) -> logging.LogRecord:
    record = logging.LogRecord(*given, **more)
    if record.name.startswith(_VERBATIM) and record.levelno < logging.INFO:
        record.msg, record.args = "what was read here is not logged", ()
        return record
    try:
        said = record.getMessage()
    except (TypeError, ValueError, KeyError):
        return record  # a mistake in the call, which logging itself reports
    record.msg, record.args = discreet(said), ()
    if record.exc_info and record.exc_info[1] is not None:
        record.exc_text = trace_of(record.exc_info[1])
    return record


def trace_of(error: BaseException) -> str:
    """Where an error happened and of what kind it was; its words only where they tell of machines, not of players."""
    told: list[str] = []
    at: BaseException | None = error
    while at is not None and len(told) < _CAUSES:
        where = "".join(traceback.format_tb(at.__traceback__)).rstrip()
        told.append(discreet(f"Traceback (most recent call last):\n{where}\n{_named(at)}"))
        at = at.__cause__ or at.__context__
    return "\n\nwhile this was handled:\n".join(told)


def _named(error: BaseException) -> str:
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, OSError) or kind.partition(".")[0] in _TELLING:
        return f"{kind}: {str(error).partition(chr(10))[0]}"
    return kind
