"""Progress of fetching a remote mailbox, stored between runs: last UID and its UIDVALIDITY."""

from __future__ import annotations

import hashlib
import json

from sqlmodel import Session

from correspondence.models import FetchProgress
from correspondence.transport.imap import Progress


def progress_of(session: Session, url: str) -> Progress:
    """Return the progress of fetching the mailbox at `url`; the start if it is new."""
    row = session.get(FetchProgress, _mailbox_hash(url))
    if row is None:
        return Progress()
    return Progress(
        row.uid_validity, row.last_uid, {int(uid): count for uid, count in json.loads(row.failures).items()}
    )


def save_progress(session: Session, url: str, progress: Progress) -> None:
    """Store the progress, merged with what another worker stored in the meantime."""
    row = session.get(FetchProgress, _mailbox_hash(url), with_for_update=True) or FetchProgress(
        mailbox_hash=_mailbox_hash(url)
    )
    is_same = row.uid_validity == progress.uid_validity
    row.last_uid = max(row.last_uid, progress.last_uid) if is_same else progress.last_uid
    row.uid_validity = progress.uid_validity
    row.failures = json.dumps({str(uid): count for uid, count in progress.failures.items()})
    session.add(row)


def _mailbox_hash(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()  # a hash, because the URL contains the password
