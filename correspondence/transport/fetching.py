"""Fetch mail from a Maildir, and functions shared with fetching by IMAP.

A message is marked as read only after it was stored. One that cannot be stored does not block the others; after three
failures it is moved to the folder `Dead` for the operator.
"""

from __future__ import annotations

import logging
import os
import re
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from correspondence.core.tokens import masked
from correspondence.mime.classify import sole_author
from correspondence.mime.headers import headers_of
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.mime.mail_keys import mail_key
from correspondence.transport import maildir
from correspondence.transport.intake import RECIPIENT_LIMIT, StoreMessage, normalise_line_ends

log = logging.getLogger(__name__)

BATCH = 100
"""Maximum number of messages stored in one call."""

MOST_TRIES = 3
"""Number of failures after which a message is moved to the folder DEAD."""

UNKNOWN_SENDER = "unknown"
"""The envelope sender if no header names it; empty would mean the null sender."""

DEAD = "Dead"
"""The name of the folder for messages that could not be stored."""

_TEMPORARY_ERRORS = (OperationalError, InterfaceError, PoolTimeout, OSError)
_RECIPIENT_FIELDS = ("x-original-to", "delivered-to", "envelope-to", "x-envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[^\s<>()\[\],:;@\"\\]{1,64}@[^\s<>()\[\],:;@\"\\]{1,255}")
_TRIED = re.compile(r",tried=(\d)")


class FetchError(Exception):
    """Raised if a mailbox cannot be read now; str() says why, without the password."""


def fetch_maildir(path: str | Path, store: StoreMessage, *, domain: str) -> int:
    """Store the messages in `new` and move them to `cur`; return how many were stored."""
    folder = Path(path)
    try:
        maildir.make(folder)
        files = sorted((folder / "new").iterdir(), key=lambda file: file.name)
    except OSError as error:
        raise FetchError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    stored = (file for file in files if _fetch_file(folder, file, store, domain))
    return sum(1 for _file in islice(stored, BATCH))


def maildir_trouble(path: str | Path) -> str:
    """Describe why the folder cannot be read or its files moved; empty if they can."""
    try:
        maildir.make(Path(path))
    except OSError as error:
        return f"The folder {path} cannot be read: {error.strerror}."
    closed = [name for name in ("new", "cur") if not os.access(Path(path, name), os.R_OK | os.W_OK | os.X_OK)]
    return f"The folder {Path(path, closed[0])} cannot be read and written by this user." if closed else ""


def recipients_of(raw: bytes, domain: str) -> list[str]:
    """Return the recipients of a message at our domain, from delivery headers or To and Cc.

    These are the addresses of `domain` in the first field that has any; otherwise the first delivery address, or the
    general address that anyone can write to.
    """
    headers, our_domain = headers_of(raw), mail_key(domain)
    addresses_by_field = [_ADDRESS.findall(" ".join(headers.every(name))) for name in _RECIPIENT_FIELDS]
    our_addresses = (
        [address for address in addresses if mail_key(address).rpartition("@")[2] == our_domain]
        for addresses in addresses_by_field
    )
    recipients = next((addresses for addresses in our_addresses if addresses), [])
    delivered = [address for addresses in addresses_by_field[:4] for address in addresses]
    return list(dict.fromkeys(recipients))[:RECIPIENT_LIMIT] or delivered[:1] or [f"play@{domain}"]


def sender_of(raw: bytes) -> str:
    """Return the envelope sender from Return-Path (empty for the null sender), or from From."""
    paths = headers_of(raw).every("return-path")
    if paths:
        return next(iter(_ADDRESS.findall(paths[0])), "" if "<>" in paths[0] else UNKNOWN_SENDER)
    return sole_author(raw) or UNKNOWN_SENDER


def store_for_all(raw: bytes, store: StoreMessage, domain: str, name: str) -> bool:
    """Store a message for all its recipients; False if storing fails because of this message.

    Raises FetchError if nothing can be stored now, which does not count as a failure of the message.
    """
    clean_raw = normalise_line_ends(raw)
    try:
        for recipient in recipients_of(clean_raw, domain):
            store(clean_raw, recipient, sender_of(clean_raw))
    except _TEMPORARY_ERRORS as error:
        raise FetchError(f"Nothing can be kept now: {masked(str(error))}.") from error
    except Exception as error:
        log.error("the message %s could not be stored: %s", name, masked(str(error)))
        return False
    return True


def _fetch_file(folder: Path, file: Path, store: StoreMessage, domain: str) -> bool:
    if file.is_symlink() or (file.exists() and not file.is_file()):
        _log_once(file, "is not a file, so it is passed over")
        return False
    try:
        with file.open("rb") as source:
            raw = source.read(MESSAGE_LIMIT + 1)  # one byte too many, so that it is refused as too big
    except FileNotFoundError:
        return False  # another worker was faster
    except OSError as error:
        _log_once(file, f"cannot be read: {error.strerror}")
        return False
    if not store_for_all(raw, store, domain, file.name):
        _count_failure(folder, file)
        return False
    with suppress(FileNotFoundError):
        file.rename(folder / "cur" / f"{file.name.partition(':')[0]}:2,S")
        maildir.sync(folder / "cur")
    return True


@lru_cache(maxsize=1_024)
def _log_once(file: Path, why: str) -> None:
    """Log why a message was skipped, once per process, because each poll finds it again."""
    log.error("%s %s", file, why)


def _count_failure(folder: Path, file: Path) -> None:
    """Count a failure in the file's name, as Maildir allows, or move the file to DEAD."""
    match = _TRIED.search(file.name)
    count = int(match[1]) + 1 if match else 1
    name, dead_folder = _TRIED.sub("", file.name), folder / f".{DEAD}"
    if count >= MOST_TRIES:
        maildir.make(dead_folder)
    with suppress(FileNotFoundError):
        file.rename(dead_folder / "new" / name if count >= MOST_TRIES else file.with_name(f"{name},tried={count}"))
