"""Fetch mail from a mailbox by IMAP (RFC 3501).

Nothing is expunged, and nothing is marked as read before it was stored. New messages are recognised by UID and by
flags, so a message already read in a mail program is still fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import imapclient

from correspondence.core.config import SettingError
from correspondence.core.tokens import masked
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.transport.fetching import BATCH, DEAD, MOST_TRIES, FetchError, store_for_all
from correspondence.transport.intake import StoreMessage

TIMEOUT = 30.0
"""Time limit in seconds for each step of a connection."""


@dataclass(slots=True)
class Progress:
    """The progress of fetching a mailbox: UIDVALIDITY (RFC 3501 2.3.1.1), last UID, failures.

    `failures` counts the failures of each UID that was not stored.
    """

    uid_validity: int = 0
    last_uid: int = 0
    failures: dict[int, int] = field(default_factory=dict)

    def begin(self, uid_validity: int, newest: int) -> None:
        """Reset for a new mailbox or UIDVALIDITY; older mail is then recognised only by its flags."""
        if self.uid_validity != uid_validity:
            self.uid_validity, self.last_uid, self.failures = uid_validity, newest, {}

    def stored(self, uid: int) -> None:
        """Record that a message was stored or abandoned."""
        self.last_uid = max(self.last_uid, uid)
        self.failures.pop(uid, None)

    def failed(self, uid: int) -> int:
        """Count a failure of a message and return the number of its failures."""
        self.last_uid = max(self.last_uid, uid)
        self.failures[uid] = self.failures.get(uid, 0) + 1
        return self.failures[uid]


def fetch_imap(url: str, store: StoreMessage, progress: Progress, *, domain: str, timeout: float = TIMEOUT) -> int:
    """Store a mailbox's new messages and mark them as seen; return how many were stored.

    `url` is, for example, `imaps://user:password@host/INBOX`. New messages are those that are unseen, have a higher UID
    than all before, or failed before. `progress` is updated in any case. A message that failed three times is moved to
    the folder `Dead`. Raises SettingError, or FetchError if the mailbox cannot be read.
    """
    with _open_mailbox(url, timeout) as (client, selected):
        try:
            progress.begin(selected.get(b"UIDVALIDITY", 0), selected.get(b"UIDNEXT", 0) - 1)
            return sum(
                _fetch_message(client, uid, store, progress, domain) for uid in _new_uids(client, progress)[:BATCH]
            )
        except (imapclient.exceptions.IMAPClientError, OSError) as error:
            raise FetchError(f"The mailbox stopped answering: {masked(str(error))}.") from error


def parse_mailbox_url(url: str) -> tuple[SplitResult, str]:
    """Parse a mailbox URL into its parts and the folder name. Raises SettingError."""
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise SettingError("MAIL_FETCH is neither maildir:PATH nor imaps://user:password@host/INBOX.")
    return parts, unquote(parts.path.strip("/")) or "INBOX"


@contextmanager
def signed_in(place: SplitResult, timeout: float) -> Iterator[imapclient.IMAPClient]:
    """Context manager: log in to a mailbox's server, verifying its certificate.

    Raises IMAPClientError or OSError.
    """
    is_encrypted = place.scheme == "imaps"
    port = place.port or (993 if is_encrypted else 143)
    with imapclient.IMAPClient(str(place.hostname), port, ssl=is_encrypted, timeout=timeout) as client:
        client.login(unquote(str(place.username)), unquote(place.password or ""))
        yield client


@contextmanager
def _open_mailbox(url: str, timeout: float) -> Iterator[tuple[imapclient.IMAPClient, dict[bytes, Any]]]:
    """Context manager: open a mailbox and yield its connection and the answer to SELECT.

    CLOSE is not sent, as it would expunge. Raises FetchError and SettingError.
    """
    place, folder = parse_mailbox_url(url)
    with ExitStack() as stack:
        try:
            client = stack.enter_context(signed_in(place, timeout))
            selected = client.select_folder(folder)
        except (imapclient.exceptions.IMAPClientError, OSError) as error:
            raise FetchError(f"The mailbox at {place.hostname} cannot be opened: {error}.") from error
        yield client, selected


def imap_trouble(url: str, timeout: float = TIMEOUT) -> str:
    """Describe in a sentence why a mailbox cannot be read, or "". Raises SettingError."""
    try:
        with _open_mailbox(url, timeout):
            return ""
    except FetchError as error:
        return masked(str(error))


@contextmanager
def _refusal_ignored() -> Iterator[None]:
    """Context manager: ignore a rejected command about one message, so others are processed."""
    try:
        yield
    except (imapclient.exceptions.IMAPClientAbortError, imapclient.exceptions.ProtocolError):
        raise
    except imapclient.exceptions.IMAPClientError:
        pass


def _new_uids(client: imapclient.IMAPClient, progress: Progress) -> list[int]:
    unseen = client.search("UNSEEN")
    # `*` is the last message, even if its UID is lower
    since = client.search(f"UID {progress.last_uid + 1}:*")
    return sorted({*unseen, *(uid for uid in since if uid > progress.last_uid), *progress.failures})


def _fetch_message(
    client: imapclient.IMAPClient, uid: int, store: StoreMessage, progress: Progress, domain: str
) -> bool:
    raw = _peek(client, uid)
    if raw is None:
        progress.stored(uid)  # another client removed it
        return False
    if not store_for_all(raw, store, domain, str(uid)):
        if progress.failed(uid) >= MOST_TRIES:
            _move_to_dead(client, uid)
            progress.stored(uid)
        return False
    with _refusal_ignored():
        client.add_flags([uid], [imapclient.SEEN], silent=True)
    progress.stored(uid)
    return True


def _peek(client: imapclient.IMAPClient, uid: int) -> bytes | None:
    """Fetch up to MESSAGE_LIMIT + 1 bytes of a message, still unseen; None if it is gone."""
    size = _fetch_item(client, uid, "RFC822.SIZE", b"RFC822.SIZE")
    if size is None:
        return None
    byte_count = min(size, MESSAGE_LIMIT + 1)
    content = _fetch_item(client, uid, f"BODY.PEEK[]<0.{byte_count}>", b"BODY[]<0>")
    return None if content is None else bytes(content[: MESSAGE_LIMIT + 1])


def _fetch_item(client: imapclient.IMAPClient, uid: int, item: str, name: bytes) -> Any:
    """Fetch one item of a message, called `name` in the answer; None if the server omits it."""
    with _refusal_ignored():
        return client.fetch([uid], [item]).get(uid, {}).get(name)
    return None


def _move_to_dead(client: imapclient.IMAPClient, uid: int) -> None:
    """Move a message to the folder `Dead`; without MOVE, copy it and mark it as deleted."""
    with _refusal_ignored():
        client.create_folder(DEAD)
    with _refusal_ignored():
        if client.has_capability("MOVE"):
            client.move([uid], DEAD)
        else:
            client.copy([uid], DEAD)
            client.add_flags([uid], [imapclient.SEEN, imapclient.DELETED], silent=True)
