"""Collecting mail from where MAIL_FETCH says."""

from __future__ import annotations

from correspondence.core.config import Settings
from correspondence.transport.fetching import fetch_maildir
from correspondence.transport.imap import Progress, fetch_imap
from correspondence.transport.listening import Keep


def fetch(settings: Settings, keep: Keep, progress: Progress | None = None) -> int:
    """Collect what is new where MAIL_FETCH says, and return how many messages were kept.

    Nothing is done where it is empty. `progress` says, and is told, how far a mailbox was collected. Raises
    SettingError, and FetchError when the mailbox cannot be reached: all of it is still there the next time.
    """
    where = settings.mail_fetch
    if not where:
        return 0
    if where.startswith("maildir:"):
        return fetch_maildir(where.removeprefix("maildir:"), keep, domain=settings.mail_domain)
    return fetch_imap(where, keep, progress or Progress(), domain=settings.mail_domain)
