"""Resolve the visitor from web session, API token or signed link."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import api_tokens, web_sessions
from correspondence.accounts.address_changes import mails_of_link
from correspondence.models import Person, Token
from correspondence.queries.view_models import LinkPurpose, Member, Program

_MEMBER_FIELDS = [field.name for field in fields(Member) if field.name != "needs_note"]


def member(session: Session, key: object, *, now: datetime) -> Member | None:
    """Return the member signed in by a web session's key; None if it ended or expired."""
    row = web_sessions.find(session, key, now=now) if isinstance(key, str) else None
    if row is None:
        return None
    values = {name: getattr(row, name) for name in _MEMBER_FIELDS}
    return Member(**values, needs_note=web_sessions.needs_note(row.used_at, now=now))


def program(session: Session, secret: str, *, now: datetime) -> Program | None:
    """Return the program with this API token, and its member; None if there is no such token."""
    row = api_tokens.find(session, secret)
    if row is None:
        return None
    member = Member(**{name: getattr(row, name) for name in _MEMBER_FIELDS})
    is_ended, needs_note = api_tokens.is_ended(row, now=now), api_tokens.needs_note(row, now=now)
    return Program(row.token_id, member, row.scope, is_ended=is_ended, needs_note=needs_note)


def link_purpose(session: Session, token_id: int | None, *, now: datetime) -> LinkPurpose | None:
    """Return the purpose of a link's token; None if it is unknown, used or expired."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    if token.used_at is not None:
        return None
    person = session.get(Person, token.person_id) if token.person_id else None
    handle = person.handle if person else str(json.loads(token.payload).get("handle", ""))
    return LinkPurpose(token.id, token.purpose, handle, token.match_id, mails_of_link(session, token, now=now))
