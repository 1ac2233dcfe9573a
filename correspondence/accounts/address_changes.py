"""Tells a change of addresses to all that there were before it, and undoes it within a week.

Each of these letters holds a token of its own. Undoing by it goes back to how the addresses were before the first
change of that week which its reader was told of, and ends all that an intruder may hold: web sessions, links, reply
addresses and earlier offers to undo. The youngest address cannot undo: whoever managed to add theirs could otherwise
keep it for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col, func, select

from correspondence.accounts import access
from correspondence.accounts.access import Ending
from correspondence.accounts.accounts import PeopleError, command_token, live_token, new_token, payload_of
from correspondence.core.db import NO_KEY_UPDATE
from correspondence.core.i18n import in_language
from correspondence.mime.mail_keys import mail_key, mailbox_key
from correspondence.models import Address, Letter, LetterState, Person, Purpose, Token
from correspondence.outbound import kinds
from correspondence.outbound.letters import Draft, mail_of, to_address, write_letter
from engines.wording import N_, _

UNDO_WITHIN = timedelta(days=7)
"""How long a change can be undone."""

Snapshot = Sequence[Mapping[str, Any]]
"""The addresses of a person at one moment, the oldest first: `mail`, when it was `verified`, whether it `is_main`."""


_UNDONE = N_(
    "From {mail} it was said that a change of your addresses was not yours, so they are again as they were before it. "
    "Every browser is signed out, and the reply addresses and links of earlier letters no longer work."
)


def locked(session: Session, person: Person) -> Person:
    """Lock the person's row, so that changes of their addresses follow each other."""
    return session.get_one(Person, person.id, with_for_update=NO_KEY_UPDATE)


def lock_owner(session: Session, token_id: int | None) -> None:
    """Lock the person of a token before the token itself, in the order of every change; nothing if there is none."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is not None and token.person_id is not None:
        locked(session, session.get_one(Person, token.person_id))


def addresses_of(session: Session, person: Person) -> list[Address]:
    """Return the addresses of a person: the main one first, then the oldest."""
    query = select(Address).where(col(Address.person_id) == person.id)
    return sorted(session.exec(query), key=lambda one: (not one.is_main, one.verified_at, one.id))


def snapshot(session: Session, person: Person) -> Snapshot:
    """Return the addresses of a person as they are now."""
    return [
        {"mail": one.mail, "verified": one.verified_at.isoformat(), "is_main": one.is_main}
        for one in sorted(addresses_of(session, person), key=lambda one: (one.verified_at, one.id))
    ]


def tell(
    session: Session,
    person: Person,
    before: Snapshot,
    what: str,
    mail: str,
    *,
    now: datetime,
    only: Sequence[str] | None = None,
) -> None:
    """Write to all addresses that there were before a change and that there are now; `what` is a sentence with {mail}.

    Those of before can undo it, but for the youngest of all. With `only`, no others are told, and all of them can.
    """
    after = snapshot(session, person)
    everybody = {one["mail"]: str(one["verified"]) for one in (*before, *after)}
    youngest = sorted(everybody, key=lambda mail: everybody[mail])[-1]
    for to in everybody if only is None else only:
        may_undo = to in [one["mail"] for one in before] and (to != youngest or only is not None)
        token = _undo_token(session, person, to, before, now) if may_undo else None
        _write(session, person, to, what, mail, token, now)


def _undo_token(session: Session, person: Person, to: str, before: Snapshot, now: datetime) -> Token:
    return new_token(
        session, Purpose.ADDRESS_UNDO, now=now, person=person, lasts=UNDO_WITHIN, told=to, before=list(before)
    )


def _write(session: Session, person: Person, to: str, what: str, mail: str, token: Token | None, now: datetime) -> None:
    reply = token or command_token(session, person, now=now)
    serial = session.exec(select(func.count()).select_from(Letter).where(col(Letter.person_id) == person.id)).one()
    key = f"address-changed:t{token.id}" if token else f"address-changed:u{person.id}:{serial}"
    is_own = to in [one.mail for one in addresses_of(session, person)]
    draft = Draft(
        kinds.ADDRESS_CHANGED, key,
        reply_token=reply.id if token or is_own else None, link_token=token.id if token else None,
    )  # fmt: skip
    with in_language(person.language):
        sentence = _(what).format(mail=mail)
    write_letter(
        session, to_address(session, person, to), draft, now=now, handle=person.handle, sentence=sentence,
        mails=[one.mail for one in addresses_of(session, person)] if is_own or token else [],
        until=token.expires_at if token else None,
    )  # fmt: skip


def mails_of_link(session: Session, token: Token, *, now: datetime) -> tuple[str, ...]:
    """Return the addresses that a token's link is about: the new one, or those after undoing, the main one first."""
    if token.purpose == Purpose.ADDRESS:
        return (payload_of(token)["mail"],)
    if token.purpose != Purpose.ADDRESS_UNDO:
        return ()
    before = payload_of(_first_told(session, token, now))["before"]
    return tuple(one["mail"] for one in sorted(before, key=lambda one: not one["is_main"]))


def _first_told(session: Session, token: Token, now: datetime) -> Token:
    """Return the first token of this week that was told to the same address as this one."""
    assert token.person_id is not None
    key = mail_key(payload_of(token)["told"])
    undos = _live_undos(session, token.person_id, now)
    return next(one for one in undos if mail_key(payload_of(one)["told"]) == key)


def undo(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Go back to the addresses of before; browsers, links and reply addresses of before end. Raises PeopleError."""
    lock_owner(session, token_id)
    token = live_token(session, token_id, Purpose.ADDRESS_UNDO, now=now)
    person = session.get_one(Person, token.person_id)
    first = _first_told(session, token, now)
    payload, present = payload_of(first), snapshot(session, person)
    _restore(session, person, payload["before"])
    for later in _live_undos(session, person.id, now):
        if later.id >= first.id:
            later.used_at = now
            session.add(later)
    access.end(session, person, Ending.UNDO, since=first.created_at, now=now)
    redirect_waiting(session, person)
    for to in dict.fromkeys(one["mail"] for one in (*payload["before"], *present)):
        _write(session, person, to, _UNDONE, payload["told"], None, now)
    return person


def undo_until(session: Session, person: Person, *, now: datetime) -> datetime | None:
    """Return until when the last change of a person's addresses can be undone; None if none can."""
    ends = [token.expires_at for token in _live_undos(session, person.id, now) if token.expires_at is not None]
    return max(ends, default=None)


def _live_undos(session: Session, person_id: int, now: datetime) -> list[Token]:
    """The tokens of a person that undo and still work, the oldest first."""
    query = select(Token).where(col(Token.person_id) == person_id, col(Token.purpose) == Purpose.ADDRESS_UNDO)
    query = query.where(col(Token.used_at).is_(None), col(Token.expires_at) > now).order_by(col(Token.id))
    return list(session.exec(query))


def _restore(session: Session, person: Person, before: Snapshot) -> None:
    """Make the addresses what they were; one that has become another member's meanwhile is left with them."""
    kept = [mail_key(one["mail"]) for one in sorted(before, key=lambda one: not one["is_main"])]
    present = {one.mail_key: one for one in addresses_of(session, person)}
    others = select(Address.mail_key).where(col(Address.mail_key).in_(kept), col(Address.person_id) != person.id)
    taken = session.exec(others).all()
    free = [key for key in kept if key not in taken]
    if not free:
        raise PeopleError(_("These addresses belong to another account by now, so this cannot be undone."))
    session.execute(delete(Address).where(col(Address.person_id) == person.id, col(Address.mail_key).not_in(kept)))
    for one in before:
        if (key := mail_key(one["mail"])) in free:
            verified = datetime.fromisoformat(one["verified"])
            row = Address(person_id=person.id, mail=one["mail"], mail_key=key, verified_at=verified)
            address = present.get(key) or row
            address.is_main = key == free[0]
            session.add(address)
    session.flush()


def redirect_waiting(session: Session, person: Person) -> None:
    """Let letters that wait for an address which is no longer this person's go to the main one."""
    main = mail_of(session, person)
    if main is None:
        return
    keys = [one.mail for one in addresses_of(session, person)]
    query = update(Letter).where(col(Letter.person_id) == person.id, col(Letter.recipient).not_in(keys))
    query = query.where(col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]))
    query = query.where(col(Letter.kind).not_in([kinds.ADDRESS_CHANGED.name, kinds.HELPER_CHANGED.name]))
    session.execute(query.values(recipient=main, mailbox=mailbox_key(main)))
