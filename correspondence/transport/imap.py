"""Fetches mail from a mailbox by IMAP (RFC 3501).

Nothing is expunged, and nothing is marked as read before it was stored. New messages are recognised by UID as well as
by flags, so that a message that somebody has read in a mail program is still fetched.
"""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from correspondence.core.config import SettingError
from correspondence.core.tokens import masked
from correspondence.mime.replytext.limits import MESSAGE_LIMIT
from correspondence.transport.fetching import BATCH, DEAD, MOST_TRIES, FetchError, store_for_all
from correspondence.transport.listening import StoreMessage

TIMEOUT = 30.0
"""Time limit in seconds for each step of a connection."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,12})")


@dataclass(slots=True)
class Progress:
    """The progress of fetching a mailbox: UIDVALIDITY (RFC 3501 2.3.1.1), the last UID, and what failed.

    `troubles` counts the failures of each UID that was not stored.
    """

    validity: int = 0
    last: int = 0
    troubles: dict[int, int] = field(default_factory=dict)

    def begin(self, validity: int, newest: int) -> None:
        """Reset if the mailbox is new or has a new UIDVALIDITY; older mail is then recognised by its flags only."""
        if self.validity != validity:
            self.validity, self.last, self.troubles = validity, newest, {}

    def kept(self, uid: int) -> None:
        """Note that a message was stored or given up."""
        self.last = max(self.last, uid)
        self.troubles.pop(uid, None)

    def failed(self, uid: int) -> int:
        """Count a failure of a message and return the number of its failures."""
        self.last = max(self.last, uid)
        self.troubles[uid] = self.troubles.get(uid, 0) + 1
        return self.troubles[uid]


def fetch_imap(url: str, store: StoreMessage, progress: Progress, *, domain: str, timeout: float = TIMEOUT) -> int:
    """Store the new messages of a mailbox such as `imaps://user:password@host/INBOX` and mark them as seen.

    New are messages that are unseen, have a higher UID than all before, or failed before. Returns how many were
    stored, and updates `progress` in any case. A message that failed three times is moved to the folder `Dead`.
    Raises SettingError, and FetchError if the mailbox cannot be read.
    """
    with open_mailbox(url, timeout) as client:
        try:
            progress.begin(_select_number(client, "UIDVALIDITY"), _select_number(client, "UIDNEXT") - 1)
            return sum(
                _fetch_message(client, uid, store, progress, domain) for uid in _new_uids(client, progress)[:BATCH]
            )
        except (imaplib.IMAP4.error, OSError) as error:
            raise FetchError(f"The mailbox stopped answering: {masked(str(error))}.") from error


def parse_mailbox_url(url: str) -> tuple[SplitResult, str]:
    """Parse the URL of a mailbox; returns its parts and the folder name. Raises SettingError."""
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise SettingError("MAIL_FETCH is neither maildir:PATH nor imaps://user:password@host/INBOX.")
    return parts, unquote(parts.path.strip("/")) or "INBOX"


@contextmanager
def open_mailbox(url: str, timeout: float) -> Iterator[imaplib.IMAP4]:
    """Open a mailbox: log in and select it; CLOSE is not sent, as it would expunge. Raises FetchError, SettingError."""
    parts, folder = parse_mailbox_url(url)
    client: imaplib.IMAP4 | None = None
    try:
        if parts.scheme == "imaps":
            client = imaplib.IMAP4_SSL(str(parts.hostname), parts.port or 993, timeout=timeout)
        else:
            client = imaplib.IMAP4(str(parts.hostname), parts.port or 143, timeout=timeout)
        client.login(unquote(str(parts.username)), unquote(parts.password or ""))
        _result_words(client.select(f'"{folder}"'))
    except (imaplib.IMAP4.error, OSError) as error:
        _log_out(client)
        raise FetchError(f"The mailbox at {parts.hostname} cannot be opened: {error}.") from error
    try:
        yield client
    finally:
        _log_out(client)


def _log_out(client: imaplib.IMAP4 | None) -> None:
    if client is not None:
        with suppress(imaplib.IMAP4.error, OSError):
            client.logout()
        with suppress(OSError):
            client.shutdown()


def _select_number(client: imaplib.IMAP4, name: str) -> int:
    """Return a number from the server's response to SELECT; 0 if it is missing."""
    _name, values = client.response(name)
    value = values[0] if values else None
    return int(value) if isinstance(value, bytes) and value.isdigit() else 0


def _new_uids(client: imaplib.IMAP4, progress: Progress) -> list[int]:
    unseen = map(int, _result_words(client.uid("SEARCH", "UNSEEN")))
    # `*` is the last message, even if its UID is lower
    since = map(int, _result_words(client.uid("SEARCH", f"UID {progress.last + 1}:*")))
    return sorted({*unseen, *(uid for uid in since if uid > progress.last), *progress.troubles})


def _fetch_message(client: imaplib.IMAP4, uid: int, store: StoreMessage, progress: Progress, domain: str) -> bool:
    raw = _peek(client, uid)
    if raw is None:
        progress.kept(uid)  # somebody else removed it
        return False
    if not store_for_all(raw, store, domain, str(uid)):
        if progress.failed(uid) >= MOST_TRIES:
            _move_to_dead(client, uid)
            progress.kept(uid)
        return False
    client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)")
    progress.kept(uid)
    return True


def _peek(client: imaplib.IMAP4, uid: int) -> bytes | None:
    """Fetch a message, up to MESSAGE_LIMIT + 1 bytes, without marking it as seen; None if it is gone."""
    _status, answer = client.uid("FETCH", str(uid), "(UID RFC822.SIZE)")
    size = _SIZE.search(b" ".join(part for part in answer if isinstance(part, bytes)))
    if size is None:
        return None
    byte_count = min(int(size[1]), MESSAGE_LIMIT + 1)
    _status, answer = client.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{byte_count}>)")
    content = next((part[1] for part in answer if isinstance(part, tuple)), None)
    return None if content is None else bytes(content[: MESSAGE_LIMIT + 1])


def _move_to_dead(client: imaplib.IMAP4, uid: int) -> None:
    """Move a message to the folder `Dead`; without MOVE it is copied and marked as deleted, but not expunged."""
    client.create(DEAD)
    if "MOVE" in client.capabilities:
        client.uid("MOVE", str(uid), DEAD)
    elif client.uid("COPY", str(uid), DEAD)[0] == "OK":
        client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen \Deleted)")


def _result_words(reply: tuple[str, list[bytes | None]]) -> list[str]:
    status, answer = reply
    if status != "OK":
        raise imaplib.IMAP4.error(b" ".join(part or b"" for part in answer).decode("utf-8", "replace"))
    return (answer[0] or b"").decode("ascii", "replace").split() if answer else []
