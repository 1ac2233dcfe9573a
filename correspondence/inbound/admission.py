"""Rate limits of incoming mail, by reply address, by person and by the peer's IP address.

A sender over a limit gets a temporary SMTP error, because a permanent one would lose the mail. The counters are kept
in memory by the listening process, of which there is only one.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.db import reading
from correspondence.core.ratelimit import RateLimit, RateLimiter
from correspondence.core.runtime import Runtime
from correspondence.inbound.mailbox import stranger_budget
from correspondence.mime.authentication import is_dmarc_failure, is_marked_spam
from correspondence.mime.classify import sole_author
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Token

PER_TOKEN = RateLimit("mail-token", 120, 30)
"""Maximum messages to one reply address: enough for games in an evening, not for a flood."""

PER_PERSON = RateLimit("mail-person", 300, 15)
"""Maximum messages of one person, or of one envelope sender to the open box."""

PER_PEER = RateLimit("mail-peer", 600, 2)
"""Maximum messages from one host; our own mail server (local or LMTP) is not counted."""

SPENT = "450 4.7.1 We answer no more strangers for now; please try again later"
FORGED = "550 5.7.1 The owner of the domain in From does not allow this mail (DMARC)"
SPAM = "550 5.7.1 This mail was marked as spam"
"""SMTP reply to strangers whose spam would be dropped, if MAIL_REFUSE is set."""

DOOR = "play"
"""The box for strangers. Mail to postmaster and abuse is never refused (RFC 2142)."""

_OWN_HOSTS = ("127.", "::1", "::ffff:127.")


def rcpt_policy(runtime: Runtime) -> Callable[[str, str, str], bool]:
    """Return the rate-limit check for RCPT; the peer is empty for our own mail server."""
    limiter = RateLimiter()

    def allows(recipient: str, sender: str, peer: str) -> bool:
        """Count this RCPT against its limits; False if it exceeds one."""
        now, local = runtime.now(), recipient.partition("@")[0].casefold()
        hits = [(PER_PEER, peer)] if peer and not peer.startswith(_OWN_HOSTS) else []
        if local.startswith("r."):
            hits.append((PER_TOKEN, local))
        with reading(runtime.engine) as session:
            person_key = _person_key(session, local, sender, runtime.settings.secret_key)
        hits += [(PER_PERSON, person_key)] if person_key else []
        return all(limiter.allows(limit, key, now) for limit, key in hits)

    return allows


def refusal_policy(runtime: Runtime) -> Callable[[bytes | None, str, str], str]:
    """Return the function that refuses strangers' mail at RCPT and after DATA, if MAIL_REFUSE."""
    settings = runtime.settings

    def refuse(raw: bytes | None, recipient: str, sender: str) -> str:
        """Return the SMTP reply if a stranger's mail would be dropped; empty for other mail."""
        writer = sender if raw is None else sole_author(raw) or ""
        if recipient.partition("@")[0].casefold() != DOOR or not writer:
            return ""
        with reading(runtime.engine) as session:
            if accounts.person_by_address(session, writer) is not None:
                return ""
            if raw is None:
                domain = mail_key(writer).rpartition("@")[2]
                return SPENT if stranger_budget.is_spent(session, settings, domain, runtime.now()) else ""
        is_forged = is_dmarc_failure(raw, settings.mail_authserv_id)
        return FORGED if is_forged else SPAM if is_marked_spam(raw) else ""

    return refuse if settings.mail_refuse else lambda _raw, _recipient, _sender: ""


def _person_key(session: Session, local: str, sender: str, key: str) -> str:
    """Return the key of the per-person limit: the token's person, or else the envelope sender."""
    token_id = tokens.read(key, local[2:]) if local.startswith("r.") else None
    token = session.get(Token, token_id) if token_id is not None else None
    if token is not None and token.person_id is not None:
        return f"person {token.person_id}"
    return mail_key(sender) if sender else ""
