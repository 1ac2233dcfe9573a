"""Undo a change of a postal member's helper, by the link or reply address of its letter."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts import access, helper_letters, postal_members, relations
from correspondence.accounts.access import Ending
from correspondence.accounts.accounts import is_address_of, live_token, payload_of
from correspondence.accounts.address_changes import lock_owner
from correspondence.models import Person, PostalHelper, Purpose, Token


def undo(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Restore the helper before a change, and sign out all browsers of this person.

    If the letter's address was removed since, the help only ends, because the address may have been an intruder's.
    Raises PeopleError.
    """
    lock_owner(session, token_id)
    token = live_token(session, token_id, Purpose.HELPER_UNDO, now=now)
    person, payload = session.get_one(Person, token.person_id), payload_of(token)
    helped: int = payload["helped"]
    row = session.get(PostalHelper, helped, populate_existing=True)
    if row is not None and person.id in (row.person_id, row.helper_id):
        session.delete(row)
        session.flush()
    access.end(session, person, Ending.SIGN_OUT, now=now)
    if payload["before"] is not None and person.id == helped and is_address_of(session, payload["told"], person):
        _restore(session, person, payload["before"])
    token.used_at = now
    session.add(token)
    if not payload["is_youngest"]:
        _end_after(session, token, helped, now)
    helper_letters.tell_undone(session, person, token, payload["told"], now=now)
    return person


def _restore(session: Session, person: Person, before: dict[str, Any]) -> None:
    """Restore the earlier helper, unless departed or blocked, or the person left postal play."""
    helper = session.get_one(Person, before["helper"])
    is_free = helper.departed_at is None and not relations.is_blocked(session, person.id, helper.id)
    if is_free and postal_members.by_post(session, [person.id]):
        row = PostalHelper(person_id=person.id, helper_id=helper.id, asked_at=datetime.fromisoformat(before["asked"]))
        row.agreed_at = datetime.fromisoformat(before["agreed"]) if before["agreed"] else None
        session.add(row)
        session.flush()


def _end_after(session: Session, first: Token, helped: int, now: datetime) -> None:
    """Invalidate the undo tokens of all later changes, which would restore the undone state."""
    query = select(Token).where(col(Token.person_id) == first.person_id, col(Token.purpose) == Purpose.HELPER_UNDO)
    query = query.where(col(Token.used_at).is_(None), col(Token.id) > first.id)
    for token in session.exec(query):
        if payload_of(token)["helped"] == helped:
            token.used_at = now
            session.add(token)
