"""Which addresses are ours: the boxes that everybody may write to, and those that a token spells."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence import operator_mail, people, tokens
from correspondence.config import Settings
from correspondence.models import Purpose, Token

OPEN_BOXES = ("play", *operator_mail.BOXES)
"""The local parts that everybody may write to."""


def is_known(session: Session, recipient: str, settings: Settings, *, now: datetime) -> bool:
    """Whether mail to this recipient is for us; unknown and expired tokens look the same."""
    local, _at, domain = recipient.casefold().partition("@")
    if recipient.casefold() == "postmaster":  # which is for us even without a domain (RFC 5321 4.5.1)
        return True
    if domain != settings.mail_domain.casefold():
        return False
    if local in OPEN_BOXES or local.startswith("b."):
        return True
    return token_at(session, local, settings, now) is not None


def token_at(session: Session, local: str, settings: Settings, now: datetime) -> Token | None:
    """The token that a local part spells, where it is one of ours and still good for something; None otherwise."""
    kind, _dot, secret = local.casefold().partition(".")
    number = tokens.read(settings.secret_key, secret) if kind == "r" else None
    token = session.get(Token, number) if number is not None else None
    if token is None or people.has_expired(token, now):
        return None
    return token if token.used_at is None or token.purpose == Purpose.JOIN else None
