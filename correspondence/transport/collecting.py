"""Fetch mail from the source in MAIL_FETCH."""

from __future__ import annotations

from correspondence.core.config import Settings
from correspondence.transport.fetching import fetch_maildir, maildir_trouble
from correspondence.transport.imap import Progress, fetch_imap, imap_trouble
from correspondence.transport.intake import StoreMessage


def fetch(settings: Settings, store: StoreMessage, progress: Progress | None = None) -> int:
    """Fetch new messages from the source in MAIL_FETCH; return how many were stored.

    Returns 0 if MAIL_FETCH is empty. `progress` is the state of an IMAP mailbox and is updated. Raises SettingError, or
    FetchError if the mailbox cannot be reached; its messages then stay there for the next fetch.
    """
    source = settings.mail_fetch
    if not source:
        return 0
    if source.startswith("maildir:"):
        return fetch_maildir(source.removeprefix("maildir:"), store, domain=settings.mail_domain)
    return fetch_imap(source, store, progress or Progress(), domain=settings.mail_domain)


def fetch_trouble(settings: Settings, *, timeout: float) -> str:
    """Describe in a sentence why mail cannot be fetched now; empty if it can.

    Also empty if MAIL_FETCH is empty. `timeout` is in seconds, for each step of a connection. Raises SettingError.
    """
    source = settings.mail_fetch
    if not source:
        return ""
    if source.startswith("maildir:"):
        return maildir_trouble(source.removeprefix("maildir:"))
    return imap_trouble(source, timeout)
