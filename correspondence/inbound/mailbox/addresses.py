"""Our mail addresses: the open boxes, to which anybody may write, and token addresses."""

from __future__ import annotations

import re
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.config import Settings
from correspondence.inbound import operator_mail
from correspondence.mime.headers import headers_of
from correspondence.models import Match, Purpose, Token
from correspondence.models.epochs import lost_at

OPEN_BOXES = ("play", *operator_mail.BOXES)
"""Local parts to which anybody may write."""

_REPLY_ADDRESS = re.compile(r"\b(r\.[a-z2-7]{26})@([\w.-]{1,255})", re.IGNORECASE)
_MOST_NAMED = 20
_ANSWERED_AFTER_USE = (
    Purpose.JOIN, Purpose.PROPOSAL, Purpose.ADDRESS, Purpose.ADDRESS_UNDO, Purpose.RESIGN, Purpose.RENEW, Purpose.INVITE,
    Purpose.FORGET, Purpose.HELPER_UNDO,
)  # fmt: skip
"""Purposes of tokens still accepted after use, so that the answer can say they were used."""


def is_known(session: Session, recipient: str, settings: Settings, *, now: datetime) -> bool:
    """Whether mail to this recipient is accepted; unknown and expired tokens look the same.

    An address whose token was deleted is accepted too, so that the writer learns why nothing happens. An expired
    address is refused, and the writer's mail server reports that.
    """
    local, _at, domain = recipient.casefold().partition("@")
    if recipient.casefold() == "postmaster":  # accepted even without a domain (RFC 5321 4.5.1)
        return True
    if domain != settings.mail_domain.casefold():
        return False
    if local in OPEN_BOXES or local.startswith("b."):
        return True
    return token_at(session, local, settings, now) is not None or was_ours(session, local, settings)


def token_at(session: Session, local: str, settings: Settings, now: datetime) -> Token | None:
    """Return the token that a local part contains; None if it is unknown, expired or used up."""
    token_id = _token_id(local, settings)
    token = session.get(Token, token_id) if token_id is not None else None
    return token if token is not None and _works(token, now) else None


def writer_to(session: Session, local: str, author: str, settings: Settings, now: datetime) -> accounts.Writer | None:
    """Return the token in a local part, and whether the author owns it, in a single query.

    The session caches its owner and match.
    """
    token_id = _token_id(local, settings)
    writer = accounts.writer_to(session, token_id, author) if token_id is not None else None
    return writer if writer is not None and _works(writer.token, now) else None


def _works(token: Token, now: datetime) -> bool:
    is_open = token.used_at is None or token.purpose in _ANSWERED_AFTER_USE
    return is_open and not accounts.has_expired(token, now)


def is_ended(session: Session, local: str, settings: Settings, now: datetime) -> bool:
    """Whether a local part is the reply address of a game that has ended.

    Its token has expired or was deleted since.
    """
    token_id = _token_id(local, settings)
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None:
        return was_ours(session, local, settings)
    if token.purpose != Purpose.PLAY or token.used_at is not None or not accounts.has_expired(token, now):
        return False
    match = session.get(Match, token.match_id)
    return match is not None and match.ended_at is not None


def was_ours(session: Session, local: str, settings: Settings) -> bool:
    """Whether a local part holds a token with our HMAC that was deleted."""
    token_id = _token_id(local, settings)
    return token_id is not None and session.get(Token, token_id) is None


def lost_with(session: Session, local: str, settings: Settings) -> datetime | None:
    """Return the time after which a lost token was made; None if no machine lost it."""
    token_id = _token_id(local, settings)
    return lost_at(session, Token, token_id) if token_id is not None else None


def _token_id(local: str, settings: Settings) -> int | None:
    kind, _dot, encoded = local.casefold().partition(".")
    return tokens.read(settings.secret_key, encoded) if kind == "r" else None


def tokens_beside(session: Session, box: str, raw: bytes, settings: Settings, now: datetime) -> list[Token]:
    """Return the distinct tokens of our other reply addresses in a message's To and Cc."""
    fields = " ".join(value for name in ("to", "cc") for value in headers_of(raw).every(name))
    our_domain = settings.mail_domain.casefold()
    local_parts = (
        local.casefold() for local, domain in _REPLY_ADDRESS.findall(fields) if domain.casefold() == our_domain
    )
    others = [local for local in dict.fromkeys(local_parts) if local != box]
    found_tokens = (token_at(session, local, settings, now) for local in others[:_MOST_NAMED])
    return [token for token in found_tokens if token is not None]
