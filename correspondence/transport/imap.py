"""Collecting mail from a mailbox by IMAP (RFC 3501).

Nothing is expunged, and nothing marked before it was kept. Whether a message is new is known by its UID
besides its flags, so that one which somebody looked at with a mail program is still taken in.
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
from correspondence.transport.fetching import BATCH, DEAD, MOST_TRIES, FetchError, is_kept
from correspondence.transport.listening import Keep

TIMEOUT = 30.0
"""Seconds for each step of a conversation."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,12})")


@dataclass(slots=True)
class Progress:
    """How far a mailbox was collected: up to which UID, in which numbering (RFC 3501 2.3.1.1), and what failed.

    `troubles` counts the failures of each UID that was not kept.
    """

    validity: int = 0
    last: int = 0
    troubles: dict[int, int] = field(default_factory=dict)

    def begin(self, validity: int, newest: int) -> None:
        """Start anew where the mailbox was never seen, or is numbered anew: older mail counts by its flags alone."""
        if self.validity != validity:
            self.validity, self.last, self.troubles = validity, newest, {}

    def kept(self, number: int) -> None:
        """Note that a message was kept, or is no longer to be."""
        self.last = max(self.last, number)
        self.troubles.pop(number, None)

    def failed(self, number: int) -> int:
        """Count a failure of a message and say how many that makes."""
        self.last = max(self.last, number)
        self.troubles[number] = self.troubles.get(number, 0) + 1
        return self.troubles[number]


def fetch_imap(url: str, keep: Keep, progress: Progress, *, domain: str, timeout: float = TIMEOUT) -> int:
    """Keep what is new in a mailbox such as `imaps://user:password@host/INBOX`, then mark it seen.

    New is what is unseen, what has a higher UID than all before, and what failed before. Returns how many
    were kept, and notes in `progress` how far it came, whatever happens. What failed three times is put
    into the folder `Dead`. Raises SettingError, and FetchError when the mailbox cannot be read.
    """
    with opened(url, timeout) as box:
        try:
            progress.begin(_told(box, "UIDVALIDITY"), _told(box, "UIDNEXT") - 1)
            return sum(_fetch_number(box, number, keep, progress, domain) for number in _new(box, progress)[:BATCH])
        except (imaplib.IMAP4.error, OSError) as error:
            raise FetchError(f"The mailbox stopped answering: {masked(str(error))}.") from error


def place_of(url: str) -> tuple[SplitResult, str]:
    """Where a mailbox is, and the name of its folder; raises SettingError."""
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise SettingError("MAIL_FETCH is neither maildir:PATH nor imaps://user:password@host/INBOX.")
    return parts, unquote(parts.path.strip("/")) or "INBOX"


@contextmanager
def opened(url: str, timeout: float) -> Iterator[imaplib.IMAP4]:
    """A mailbox, logged in and selected; left without CLOSE, which would expunge. Raises FetchError, SettingError."""
    parts, folder = place_of(url)
    box: imaplib.IMAP4 | None = None
    try:
        if parts.scheme == "imaps":
            box = imaplib.IMAP4_SSL(str(parts.hostname), parts.port or 993, timeout=timeout)
        else:
            box = imaplib.IMAP4(str(parts.hostname), parts.port or 143, timeout=timeout)
        box.login(unquote(str(parts.username)), unquote(parts.password or ""))
        _words(box.select(f'"{folder}"'))
    except (imaplib.IMAP4.error, OSError) as error:
        _leave(box)
        raise FetchError(f"The mailbox at {parts.hostname} cannot be opened: {error}.") from error
    try:
        yield box
    finally:
        _leave(box)


def _leave(box: imaplib.IMAP4 | None) -> None:
    if box is not None:
        with suppress(imaplib.IMAP4.error, OSError):
            box.logout()
        with suppress(OSError):
            box.shutdown()


def _told(box: imaplib.IMAP4, name: str) -> int:
    """A number that the server told when the mailbox was selected; 0 where it did not."""
    _name, values = box.response(name)
    told = values[0] if values else None
    return int(told) if isinstance(told, bytes) and told.isdigit() else 0


def _new(box: imaplib.IMAP4, progress: Progress) -> list[int]:
    unseen = map(int, _words(box.uid("SEARCH", "UNSEEN")))
    since = map(int, _words(box.uid("SEARCH", f"UID {progress.last + 1}:*")))  # `*` is the last one, however old
    return sorted({*unseen, *(number for number in since if number > progress.last), *progress.troubles})


def _fetch_number(box: imaplib.IMAP4, number: int, keep: Keep, progress: Progress, domain: str) -> bool:
    raw = _peeked(box, number)
    if raw is None:
        progress.kept(number)  # somebody else took it away
        return False
    if not is_kept(raw, keep, domain, str(number)):
        if progress.failed(number) >= MOST_TRIES:
            _put_aside(box, number)
            progress.kept(number)
        return False
    box.uid("STORE", str(number), "+FLAGS.SILENT", r"(\Seen)")
    progress.kept(number)
    return True


def _peeked(box: imaplib.IMAP4, number: int) -> bytes | None:
    """The bytes of a message, one too many at most, without marking it as seen; None where it is gone."""
    _status, answer = box.uid("FETCH", str(number), "(UID RFC822.SIZE)")
    size = _SIZE.search(b" ".join(part for part in answer if isinstance(part, bytes)))
    if size is None:
        return None
    most = min(int(size[1]), MESSAGE_LIMIT + 1)
    _status, answer = box.uid("FETCH", str(number), f"(BODY.PEEK[]<0.{most}>)")
    found = next((part[1] for part in answer if isinstance(part, tuple)), None)
    return None if found is None else bytes(found[: MESSAGE_LIMIT + 1])


def _put_aside(box: imaplib.IMAP4, number: int) -> None:
    """Into the folder `Dead`; where the server cannot move, the copy stays marked as deleted, never expunged."""
    box.create(DEAD)
    if "MOVE" in box.capabilities:
        box.uid("MOVE", str(number), DEAD)
    elif box.uid("COPY", str(number), DEAD)[0] == "OK":
        box.uid("STORE", str(number), "+FLAGS.SILENT", r"(\Seen \Deleted)")


def _words(reply: tuple[str, list[bytes | None]]) -> list[str]:
    status, answer = reply
    if status != "OK":
        raise imaplib.IMAP4.error(b" ".join(part or b"" for part in answer).decode("utf-8", "replace"))
    return (answer[0] or b"").decode("ascii", "replace").split() if answer else []
