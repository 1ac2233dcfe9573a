"""How much mail one writer may send in: by the address he writes to, by who he is, by where he comes from.

Who is over a limit is told to come again later, never that he is refused: a permanent answer would lose the mail.
The counts are remembered by the process that listens, of which there is one.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlmodel import Session

from correspondence.core import tokens
from correspondence.core.db import reading
from correspondence.core.ratelimit import RateLimit, RateLimiter
from correspondence.core.runtime import Runtime
from correspondence.mime.classify import mail_key
from correspondence.models import Token

TO_ONE_TOKEN = RateLimit("mail-token", 120, 30)
"""Messages to one reply address: whole games are played in an evening, but not thousands of moves."""

OF_ONE_PERSON = RateLimit("mail-person", 300, 15)
"""Messages of one person, whatever reply addresses they go to; at the open box of one envelope sender."""

FROM_ONE_PEER = RateLimit("mail-peer", 600, 2)
"""Messages from one machine; a mail server of our own, on this machine or speaking LMTP, is not counted."""

_OWN = ("127.", "::1", "::ffff:127.")


def doorman(runtime: Runtime) -> Callable[[str, str, str], bool]:
    """What a listener asks at RCPT: whether this recipient, sender and peer (empty for our own server) may go on."""
    keeper = RateLimiter()

    def allows(recipient: str, sender: str, peer: str) -> bool:
        now, local = runtime.now(), recipient.partition("@")[0].casefold()
        knocks = [(FROM_ONE_PEER, peer)] if peer and not peer.startswith(_OWN) else []
        if local.startswith("r."):
            knocks.append((TO_ONE_TOKEN, local))
        with reading(runtime.engine) as session:
            who = _who(session, local, sender, runtime.settings.secret_key)
        knocks += [(OF_ONE_PERSON, who)] if who else []
        return all(keeper.allows(door, visitor, now) for door, visitor in knocks)

    return allows


def _who(session: Session, local: str, sender: str, key: str) -> str:
    """Whose mail this counts as: that of the token's person, or of the envelope sender where there is no token."""
    number = tokens.read(key, local[2:]) if local.startswith("r.") else None
    token = session.get(Token, number) if number is not None else None
    if token is not None and token.person_id is not None:
        return f"person {token.person_id}"
    return mail_key(sender) if sender else ""
