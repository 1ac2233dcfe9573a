"""Mail to postmaster and abuse (RFC 2142): forwarded to the operator, even if automatic."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import formatdate

from sqlmodel import Session, col, func, select

from correspondence.core.config import Settings
from correspondence.mime import replytext
from correspondence.mime.headers import headers_of, words_of
from correspondence.models import Inbound, Letter
from correspondence.models.locks import hold_name
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines.wording import _

BOXES = ("postmaster", "abuse")
"""Local parts whose mail goes to the operator."""

A_DAY = 50
"""Maximum messages forwarded in 24 hours; others are only stored."""

TEXT_LIMIT = 20_000
"""Maximum characters forwarded of a message."""


def is_for_operator(inbound: Inbound) -> bool:
    """Whether a message came to one of the operator's boxes."""
    return inbound.recipient.partition("@")[0] in BOXES


def forward(session: Session, inbound: Inbound, settings: Settings, *, now: datetime) -> str:
    """Forward a message to the operator; return the outcome, or why it is only stored."""
    if not settings.operator:
        return "kept: OPERATOR is not set"
    of_today = [col(Letter.kind) == kinds.OPERATOR.name, col(Letter.created_at) > now - timedelta(days=1)]
    hold_name(session, "operator")
    if session.exec(select(func.count()).select_from(Letter).where(*of_today)).one() >= A_DAY:
        return f"kept: more than {A_DAY} in a day"
    draft = Draft(kinds.OPERATOR, f"operator:i{inbound.id}", answers=True)
    letters.write_letter(
        session, letters.To(settings.operator), draft, now=now,
        box=inbound.recipient.partition("@")[0], number=inbound.id, sender=inbound.sender,
        heads=_header_fields(inbound), words=_text(inbound),
    )  # fmt: skip
    return "passed on to the operator"


def _header_fields(inbound: Inbound) -> list[tuple[str, str]]:
    headers = headers_of(inbound.raw)
    fields = [(name, words_of(headers.first(name))) for name in ("From", "To", "Date", "Subject")]
    received = formatdate(inbound.received_at.timestamp(), usegmt=True)
    return [(name, value) for name, value in fields if value] + [(_("Received"), received)]


def _text(inbound: Inbound) -> str:
    """Return the message's text without quotations, or the raw message if there is no text."""
    text = replytext.read_reply(inbound.raw, ()).text.strip()
    return (text or inbound.raw.decode("utf-8", "replace").replace("\r\n", "\n"))[:TEXT_LIMIT]
