"""Normalised keys of mail addresses, for comparing, counting and storing."""

from __future__ import annotations

import hashlib
from contextlib import suppress

import idna


def mail_key(address: str) -> str:
    """Normalise an address for comparison: lower case, domain in ASCII (IDNA, UTS 46).

    Text without `@` is treated as a domain. A domain that IDNA rejects is only converted to lower case.
    """
    local, at, domain = address.strip().rpartition("@")
    if not domain.isascii():
        with suppress(idna.IDNAError, UnicodeError):
            domain = idna.encode(domain, uts46=True).decode()
    return f"{local.lower()}{at}{domain.lower().rstrip('.')}"


def mailbox_key(address: str) -> str:
    """Normalise an address to its mailbox, without plus-suffix (RFC 5233), to count letters."""
    local, at, domain = mail_key(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def mailbox_hash(address: str) -> str:
    """Return a hash of the mailbox, to compare addresses without storing them."""
    return hashlib.sha256(mailbox_key(address).encode()).hexdigest()


def feedback_sender(domain: str) -> str:
    """Return the last part of Feedback-ID in our letters: anonymous, one per installation."""
    return f"corr{hashlib.sha256(mail_key(domain).encode()).hexdigest()[:8]}"
