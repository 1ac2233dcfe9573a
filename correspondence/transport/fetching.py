"""Collecting mail from a Maildir, and what collecting from anywhere has in common.

A message is marked only after it was kept. One that cannot be kept never holds up the others; after
three failures it is put aside where a person can find it.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from correspondence.core.tokens import masked
from correspondence.mime.classify import mail_key, sole_author
from correspondence.mime.headers import headers_of
from correspondence.mime.replytext.limits import MESSAGE_LIMIT
from correspondence.transport import maildir
from correspondence.transport.listening import RECIPIENT_LIMIT, Keep, sound

log = logging.getLogger(__name__)

BATCH = 100
"""Messages of one collection."""

MOST_TRIES = 3
"""Failures after which a message is put aside."""

UNKNOWN_SENDER = "unknown"
"""The envelope sender where no header tells it: not empty, for that would be the null sender."""

DEAD = "Dead"
"""The folder for messages that were put aside."""

_TROUBLE_OF_THE_HOUSE = (OperationalError, InterfaceError, PoolTimeout, OSError)
_RECIPIENT_FIELDS = ("x-original-to", "delivered-to", "envelope-to", "x-envelope-to", "to", "cc")
_ADDRESS = re.compile(r"[^\s<>()\[\],:;@\"\\]{1,64}@[^\s<>()\[\],:;@\"\\]{1,255}")
_TRIED = re.compile(r",tried=(\d)")


class FetchError(Exception):
    """A mailbox that cannot be read now; str() says why and holds no password."""


def fetch_maildir(path: str | Path, keep: Keep, *, domain: str) -> int:
    """Keep what lies in `new`, then move it to `cur`; `tmp` is never touched. Returns how many were kept."""
    folder = Path(path)
    try:
        maildir.make(folder)
        files = sorted((folder / "new").iterdir(), key=lambda file: file.name)[:BATCH]
    except OSError as error:
        raise FetchError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    return sum(_fetch_file(folder, file, keep, domain) for file in files)


def recipients_of(raw: bytes, domain: str) -> list[str]:
    """Who of ours a message was for, by the headers that deliveries leave, and else by To and Cc.

    Addresses of `domain` in the first field that has any; where none has, the first address that it was
    delivered to, or the open box.
    """
    headers, own = headers_of(raw), mail_key(domain)
    found = [_ADDRESS.findall(" ".join(headers.every(name))) for name in _RECIPIENT_FIELDS]
    ours = ([a for a in each if mail_key(a).rpartition("@")[2] == own] for each in found)
    named = next((each for each in ours if each), [])
    delivered = [address for each in found[:4] for address in each]
    return list(dict.fromkeys(named))[:RECIPIENT_LIMIT] or delivered[:1] or [f"play@{domain}"]


def sender_of(raw: bytes) -> str:
    """The envelope sender as Return-Path tells it, empty for the null sender; else the author."""
    paths = headers_of(raw).every("return-path")
    if paths:
        return next(iter(_ADDRESS.findall(paths[0])), "" if "<>" in paths[0] else UNKNOWN_SENDER)
    return sole_author(raw) or UNKNOWN_SENDER


def is_kept(raw: bytes, keep: Keep, domain: str, name: str) -> bool:
    """Keep a message for all its recipients, once it is sound; False when it is the message that is at fault.

    Raises FetchError when it is the house: then nothing is counted against the message.
    """
    whole = sound(raw)
    try:
        for recipient in recipients_of(whole, domain):
            keep(whole, recipient, sender_of(whole))
    except _TROUBLE_OF_THE_HOUSE as error:
        raise FetchError(f"Nothing can be kept now: {masked(str(error))}.") from error
    except Exception as error:
        log.error("the message %s could not be kept: %s", name, masked(str(error)))
        return False
    return True


def _fetch_file(folder: Path, file: Path, keep: Keep, domain: str) -> bool:
    try:
        with file.open("rb") as source:
            raw = source.read(MESSAGE_LIMIT + 1)  # one byte too many is enough to be refused as too big
    except FileNotFoundError:
        return False  # another worker was quicker
    except OSError as error:
        log.error("the message %s cannot be read: %s", file.name, error.strerror)
        return False
    if not is_kept(raw, keep, domain, file.name):
        _put_off(folder, file)
        return False
    with suppress(FileNotFoundError):
        file.rename(folder / "cur" / f"{file.name.partition(':')[0]}:2,S")
        maildir.sync(folder / "cur")
    return True


def _put_off(folder: Path, file: Path) -> None:
    """Count a failure in the file's name, which the Maildir rules leave to us, or put the file aside."""
    tried = _TRIED.search(file.name)
    count = int(tried[1]) + 1 if tried else 1
    bare, dead = _TRIED.sub("", file.name), folder / f".{DEAD}"
    if count >= MOST_TRIES:
        maildir.make(dead)
    with suppress(FileNotFoundError):
        file.rename(dead / "new" / bare if count >= MOST_TRIES else file.with_name(f"{bare},tried={count}"))
