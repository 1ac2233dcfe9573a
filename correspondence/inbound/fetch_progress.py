"""How far a mailbox was collected, kept between two sweeps: by UID, in the numbering of its UIDVALIDITY."""

from __future__ import annotations

import hashlib
import json

from sqlmodel import Session

from correspondence.models import Collected
from correspondence.transport import Progress


def progress_of(session: Session, url: str) -> Progress:
    """How far the mailbox at `url` was collected; the beginning where it never was."""
    row = session.get(Collected, _place(url))
    if row is None:
        return Progress()
    return Progress(row.validity, row.last, {int(uid): count for uid, count in json.loads(row.troubles).items()})


def keep_progress(session: Session, url: str, progress: Progress) -> None:
    """Keep how far it came; what another worker collected meanwhile counts too."""
    row = session.get(Collected, _place(url), with_for_update=True) or Collected(place=_place(url))
    is_same = row.validity == progress.validity
    row.last = max(row.last, progress.last) if is_same else progress.last
    row.validity = progress.validity
    row.troubles = json.dumps({str(uid): count for uid, count in progress.troubles.items()})
    session.add(row)


def _place(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()  # which does not tell the password in it
