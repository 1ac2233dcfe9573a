"""Which addresses are ours: the boxes that everybody may write to, and those that a token spells."""

from __future__ import annotations

import re
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.config import Settings
from correspondence.inbound import operator_mail
from correspondence.mime.headers import headers_of
from correspondence.models import Purpose, Token

OPEN_BOXES = ("play", *operator_mail.BOXES)
"""The local parts that everybody may write to."""

_REPLY_ADDRESS = re.compile(r"\b(r\.[a-z2-7]{26})@([\w.-]{1,255})", re.IGNORECASE)
_MOST_NAMED = 20


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
    if token is None or accounts.has_expired(token, now):
        return None
    is_known_when_used = token.purpose in (Purpose.JOIN, Purpose.PROPOSAL)  # to be told that it was done
    return token if token.used_at is None or is_known_when_used else None


def tokens_named(session: Session, raw: bytes, settings: Settings, now: datetime) -> list[Token]:
    """The tokens of the reply addresses of ours that To and Cc of a message name, each once."""
    fields = " ".join(value for name in ("to", "cc") for value in headers_of(raw).every(name))
    ours = settings.mail_domain.casefold()
    found = (local.casefold() for local, domain in _REPLY_ADDRESS.findall(fields) if domain.casefold() == ours)
    tokens = (token_at(session, local, settings, now) for local in list(dict.fromkeys(found))[:_MOST_NAMED])
    return [token for token in tokens if token is not None]
