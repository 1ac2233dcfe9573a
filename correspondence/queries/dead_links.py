"""Dead links: why a link no longer works, and what to do instead.

Only the holder of a genuine link learns that it was used or expired; any other text is an unknown link.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.models import Purpose, Token
from correspondence.models.epochs import lost_at
from engines.wording import N_, _

UNKNOWN = N_(
    "We don't know this address, or it is very old. Mail programs sometimes break long links in two: "
    "please copy the whole link from the letter, or ask for a new one."
)

LOST = N_(
    "It was made after {when}. We have lost a machine since then, and everything that happened after "
    "that. Sign in to see how things stand, or ask for what you need again."
)
"""Sentence for a link lost in a failover; {when} is the last time recorded before it."""

USED = {
    Purpose.JOIN: N_("It has been used: this account is open. Sign in, and you'll get a link by mail."),
    Purpose.SIGN_IN: N_("It works once, and it has been used. Ask for a new one; it comes at once."),
    Purpose.INVITE: N_(
        "The invitation has been accepted or withdrawn. Ask the sender for a new one, or find a partner here."
    ),
}
"""Sentences for used links, by purpose."""

USED_ONCE = N_("It works once, and it has been used. If it was not you, sign in and look at your settings.")

EXPIRED = {
    Purpose.JOIN: N_("It worked until {when}. Join again, and you'll get a new one at once."),
    Purpose.SIGN_IN: N_("It worked until {when}. Ask for a new one; it comes at once."),
    Purpose.INVITE: N_("The invitation was open until {when}. Ask the sender for a new one, or find a partner here."),
}
"""Sentences for expired links, by purpose; {when} is the time of expiry."""

EXPIRED_OTHERWISE = N_("It worked until {when}. Nothing has been done; ask for it again if you still want it.")


@dataclass(frozen=True, slots=True)
class DeadLink:
    """Why a link does not work: a sentence with {when} for `at`; `purpose` is None if unknown."""

    sentence: str
    purpose: Purpose | None = None
    at: datetime | None = None


def dead_link(session: Session, token_id: int | None, *, now: datetime) -> DeadLink:
    """Return why this token's link does not work; one neither used nor expired is unknown."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is not None and token.used_at is not None:
        return DeadLink(_(USED.get(token.purpose, USED_ONCE)), token.purpose)
    if token is not None and token.expires_at is not None and token.expires_at <= now:
        return DeadLink(_(EXPIRED.get(token.purpose, EXPIRED_OTHERWISE)), token.purpose, token.expires_at)
    kept_until = lost_at(session, Token, token_id) if token is None and token_id is not None else None
    return DeadLink(_(LOST), at=kept_until) if kept_until is not None else DeadLink(_(UNKNOWN))
