"""Announce a change of addresses to all earlier addresses, and undo it within a week.

Each of these letters contains its own undo token. Undoing restores the addresses before the first change of that week
that was announced to the same address. It also revokes everything that an intruder may have: web sessions, links, reply
addresses and earlier undo tokens. The newest address cannot undo; otherwise an intruder's own address could keep the
account for ever.
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
from correspondence.core.i18n import in_language
from correspondence.mime.mail_keys import mail_key, mailbox_key
from correspondence.models import Address, Letter, LetterState, Person, Purpose, Token
from correspondence.models.locks import hold
from correspondence.outbound import kinds
from correspondence.outbound.letters import Draft, mail_of, to_address, write_letter
from engines.wording import N_, _

UNDO_WITHIN = timedelta(days=7)
"""Time within which a change can be undone."""

Snapshot = Sequence[Mapping[str, Any]]
"""A person's addresses at one time, oldest first: `mail`, `verified` and `is_main`."""


_UNDONE = N_(
    "Somebody using {mail} said that a change of your addresses was not theirs, so it was undone. Every "
    "browser has been signed out, and the reply addresses and links in earlier letters no longer work."
)


def lock_owner(session: Session, token_id: int | None) -> None:
    """Lock the person of a token before the token, in the common lock order.

    Does nothing if the token or its person is missing.
    """
    token = session.get(Token, token_id) if token_id is not None else None
    if token is not None and token.person_id is not None:
        hold(session, persons=[token.person_id])


def addresses_of(session: Session, person: Person) -> list[Address]:
    """Return the addresses of a person: the main one first, then the oldest."""
    query = select(Address).where(col(Address.person_id) == person.id)
    return sorted(session.exec(query), key=lambda one: (not one.is_main, one.verified_at, one.id))


def snapshot(session: Session, person: Person) -> Snapshot:
    """Return the current addresses of a person."""
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
    """Announce a change to all addresses before and after it; `what` is a sentence with {mail}.

    Earlier addresses get an undo token, except the newest of all. With `only`, just these addresses get a letter, and
    all of them that existed before can undo.
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
    """Return the addresses that a token's link would confirm or restore, main one first."""
    if token.purpose == Purpose.ADDRESS:
        return (payload_of(token)["mail"],)
    if token.purpose != Purpose.ADDRESS_UNDO:
        return ()
    before = payload_of(_first_told(session, token, now))["before"]
    return tuple(one["mail"] for one in sorted(before, key=lambda one: not one["is_main"]))


def _first_told(session: Session, token: Token, now: datetime) -> Token:
    """Return the first live undo token that was sent to the same address as this one."""
    assert token.person_id is not None
    key = mail_key(payload_of(token)["told"])
    undos = _live_undos(session, token.person_id, now)
    return next(one for one in undos if mail_key(payload_of(one)["told"]) == key)


def undo(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Restore the earlier addresses and revoke all access that an intruder may have.

    That includes browsers, links and reply addresses of earlier letters. Raises PeopleError.
    """
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
    """Return the time until which the last change of addresses can be undone, or None."""
    ends = [token.expires_at for token in _live_undos(session, person.id, now) if token.expires_at is not None]
    return max(ends, default=None)


def _live_undos(session: Session, person_id: int, now: datetime) -> list[Token]:
    """Return the valid undo tokens of a person, oldest first."""
    query = select(Token).where(col(Token.person_id) == person_id, col(Token.purpose) == Purpose.ADDRESS_UNDO)
    query = query.where(col(Token.used_at).is_(None), col(Token.expires_at) > now).order_by(col(Token.id))
    return list(session.exec(query))


def _restore(session: Session, person: Person, before: Snapshot) -> None:
    """Restore the addresses of a snapshot, except those that another member now has."""
    kept = [mail_key(one["mail"]) for one in sorted(before, key=lambda one: not one["is_main"])]
    present = {one.mail_key: one for one in addresses_of(session, person)}
    others = select(Address.mail_key).where(col(Address.mail_key).in_(kept), col(Address.person_id) != person.id)
    taken = session.exec(others).all()
    free = [key for key in kept if key not in taken]
    if not free:
        raise PeopleError(_("These addresses now belong to another account, so this cannot be undone."))
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
    """Redirect waiting letters from removed addresses to the main one."""
    main = mail_of(session, person)
    if main is None:
        return
    keys = [one.mail for one in addresses_of(session, person)]
    query = update(Letter).where(col(Letter.person_id) == person.id, col(Letter.recipient).not_in(keys))
    query = query.where(col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]))
    query = query.where(col(Letter.kind).not_in([kinds.ADDRESS_CHANGED.name, kinds.HELPER_CHANGED.name]))
    session.execute(query.values(recipient=main, mailbox=mailbox_key(main)))
