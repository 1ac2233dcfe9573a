"""Collecting mail from where MAIL_FETCH says: a Maildir, or a mailbox by IMAP (RFC 3501).

A message is marked only after it was kept. One that cannot be kept never holds up the others; after
three failures it is put aside where a person can find it.
"""

from __future__ import annotations

import imaplib
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from correspondence.config import SettingError, Settings
from correspondence.machine_mail import mail_key, sole_author
from correspondence.mail_headers import headers_of
from correspondence.replytext.limits import MESSAGE_LIMIT
from correspondence.tokens import masked
from correspondence.transport import maildir
from correspondence.transport.listening import RECIPIENT_LIMIT, Keep, sound

log = logging.getLogger(__name__)

TIMEOUT = 30.0
"""Seconds for each step of a conversation."""

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


def fetch(settings: Settings, keep: Keep) -> int:
    """Collect what is new where MAIL_FETCH says, and return how many messages were kept.

    Nothing is done where it is empty. Raises SettingError, and FetchError when the mailbox cannot be
    reached: all of it is still there the next time.
    """
    where = settings.mail_fetch
    if not where:
        return 0
    if where.startswith("maildir:"):
        return fetch_maildir(where.removeprefix("maildir:"), keep, domain=settings.mail_domain)
    return fetch_imap(where, keep, domain=settings.mail_domain)


def fetch_maildir(path: str | Path, keep: Keep, *, domain: str) -> int:
    """Keep what lies in `new`, then move it to `cur`; `tmp` is never touched. Returns how many were kept."""
    folder = Path(path)
    try:
        maildir.make(folder)
        files = sorted((folder / "new").iterdir(), key=lambda file: file.name)[:BATCH]
    except OSError as error:
        raise FetchError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    return sum(_fetch_file(folder, file, keep, domain) for file in files)


def fetch_imap(url: str, keep: Keep, *, domain: str, timeout: float = TIMEOUT) -> int:
    """Keep what is unseen in a mailbox such as `imaps://user:password@host/INBOX`, then mark it seen.

    Returns how many were kept. UIDs are used within one connection only, so no UIDVALIDITY can make
    them stale. Nothing is expunged; only what failed three times is moved, to the folder `Dead`.
    """
    with _mailbox(url, timeout) as box:
        try:
            numbers = _words(box.uid("SEARCH", "UNSEEN"))[:BATCH]
            return sum(_fetch_number(box, number, keep, domain) for number in numbers)
        except (imaplib.IMAP4.error, OSError) as error:
            raise FetchError(f"The mailbox stopped answering: {masked(str(error))}.") from error


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


def _is_kept(raw: bytes, keep: Keep, domain: str, name: str) -> bool:
    """Keep a message for all its recipients; False when it is the message that is at fault.

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
    if not _is_kept(raw, keep, domain, file.name):
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


@contextmanager
def _mailbox(url: str, timeout: float) -> Iterator[imaplib.IMAP4]:
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise SettingError("MAIL_FETCH is neither maildir:PATH nor imaps://user:password@host/INBOX.")
    box: imaplib.IMAP4 | None = None
    try:
        if parts.scheme == "imaps":
            box = imaplib.IMAP4_SSL(parts.hostname, parts.port or 993, timeout=timeout)
        else:
            box = imaplib.IMAP4(parts.hostname, parts.port or 143, timeout=timeout)
        box.login(unquote(parts.username), unquote(parts.password or ""))
        _words(box.select(f'"{unquote(parts.path.strip("/")) or "INBOX"}"'))
    except (imaplib.IMAP4.error, OSError) as error:
        _leave(box)
        raise FetchError(f"The mailbox at {parts.hostname} cannot be opened: {error}.") from error
    try:
        yield box
    finally:
        _leave(box)


def _leave(box: imaplib.IMAP4 | None) -> None:
    """Log out without CLOSE, which would expunge."""
    if box is not None:
        with suppress(imaplib.IMAP4.error, OSError):
            box.logout()
        with suppress(OSError):
            box.shutdown()


def _fetch_number(box: imaplib.IMAP4, number: str, keep: Keep, domain: str) -> bool:
    raw, flags = _peeked(box, number)
    if raw is None:
        return False  # somebody else took it away
    if not _is_kept(raw, keep, domain, number):
        _put_off_number(box, number, flags)
        return False
    box.uid("STORE", number, "+FLAGS.SILENT", r"(\Seen)")
    return True


def _peeked(box: imaplib.IMAP4, number: str) -> tuple[bytes | None, str]:
    """The bytes of a message, up to one too many, and what stands beside them, without marking it as seen."""
    _status, answer = box.uid("FETCH", number, f"(FLAGS BODY.PEEK[]<0.{MESSAGE_LIMIT + 1}>)")
    for part in answer:
        if isinstance(part, tuple):
            beside = b" ".join([part[0], *(other for other in answer if isinstance(other, bytes))])
            return bytes(part[1]), beside.decode("ascii", "replace")
    return None, ""


def _put_off_number(box: imaplib.IMAP4, number: str, flags: str) -> None:
    """Count a failure in a keyword of the message, or put the message aside."""
    count = 1 + flags.count("tried-")
    if count < MOST_TRIES:
        box.uid("STORE", number, "+FLAGS.SILENT", f"(tried-{count})")
        return
    box.create(DEAD)
    if box.uid("COPY", number, DEAD)[0] == "OK":
        box.uid("STORE", number, "+FLAGS.SILENT", r"(\Seen \Deleted)")


def _words(reply: tuple[str, list[bytes | None]]) -> list[str]:
    status, answer = reply
    if status != "OK":
        raise imaplib.IMAP4.error(b" ".join(part or b"" for part in answer).decode("utf-8", "replace"))
    return (answer[0] or b"").decode("ascii", "replace").split() if answer else []
