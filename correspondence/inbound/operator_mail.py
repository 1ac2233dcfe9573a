"""Mail to postmaster and abuse (RFC 2142): passed on to the operator, whoever or whatever wrote it."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import formatdate

from sqlmodel import Session, col, func, select

from correspondence.core.config import Settings
from correspondence.mime import replytext
from correspondence.mime.headers import headers_of, words_of
from correspondence.models import Inbound, Letter
from correspondence.outbound import letters
from engines.wording import _

BOXES = ("postmaster", "abuse")
"""The local parts whose mail goes to the operator."""

A_DAY = 50
"""How many messages are passed on in a day; the others are kept."""

TEXT_LIMIT = 20_000
"""Characters of a message that are passed on."""

KIND = "operator"


def is_for_operator(inbound: Inbound) -> bool:
    """Whether a message came to one of the operator's boxes."""
    return inbound.recipient.partition("@")[0] in BOXES


def forward(session: Session, inbound: Inbound, settings: Settings, *, now: datetime) -> str:
    """Write to the operator what came, and return the outcome; kept with its reason where it cannot be passed on."""
    if not settings.operator:
        return "kept: OPERATOR is not set"
    day = [col(Letter.kind) == KIND, col(Letter.created_at) > now - timedelta(days=1)]
    if session.exec(select(func.count()).select_from(Letter).where(*day)).one() >= A_DAY:
        return f"kept: more than {A_DAY} in a day"
    letters.write_letter(
        session, KIND, letters.To(settings.operator), f"operator:i{inbound.id}", now=now, answers=True,
        box=inbound.recipient.partition("@")[0], number=inbound.id, sender=inbound.sender,
        heads=_heads(inbound), words=_words(inbound),
    )  # fmt: skip
    return "passed on to the operator"


def _heads(inbound: Inbound) -> list[tuple[str, str]]:
    headers = headers_of(inbound.raw)
    found = [(name, words_of(headers.first(name))) for name in ("From", "To", "Date", "Subject")]
    received = formatdate(inbound.received_at.timestamp(), usegmt=True)
    return [(name, value) for name, value in found if value] + [(_("Received"), received)]


def _words(inbound: Inbound) -> str:
    """What can be read of the message as text: the words alone, or the raw lines of what no person wrote."""
    said = replytext.read_reply(inbound.raw, ()).text.strip()
    return (said or inbound.raw.decode("utf-8", "replace").replace("\r\n", "\n"))[:TEXT_LIMIT]
