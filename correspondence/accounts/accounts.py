"""Accounts: handles, addresses, tokens and signing in.

An account is created when its mail address is confirmed.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import email_validator
from sqlalchemy import bindparam, exists
from sqlmodel import Session, col, select

from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.core import db
from correspondence.core.handle_skeletons import is_reserved, readings, similar_skeletons, skeleton
from correspondence.core.i18n import in_language
from correspondence.core.news import notify_from
from correspondence.core.robot_handles import looks_like_robot
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Address, LetterRequest, Person, Purpose, RequestKind, Token
from correspondence.models.loading import SEATED_BY_TOKEN, keep_at_hand, keep_seats_at_hand
from correspondence.models.locks import hold_name
from correspondence.outbound import kinds, suppressions
from correspondence.outbound.letters import (
    Draft,
    mail_of,
    to_address,
    write_letter,
)
from engines.refusal import Refusal
from engines.wording import N_, _

SIGN_IN_WITHIN = timedelta(hours=1)
"""Lifetime of a sign-in link."""

SIGN_INS = LetterBudget(kinds.SIGN_IN, per_hour=10, per_day=40, unproven_per_hour=5, unproven_per_day=20)
"""Maximum number of sign-in letters to a person or a mailbox, per hour and day."""

DEPARTED = N_("departed player")
"""Display name of a departed person in their games."""

_PERSON_AT = (
    select(Person)
    .join(Address, col(Address.person_id) == col(Person.id))
    .where(col(Address.mail_key) == bindparam("key"))
)

_WRITER = SEATED_BY_TOKEN.add_columns(
    exists()
    .where(col(Address.mail_key) == bindparam("key"), col(Address.person_id) == col(Token.person_id))
    .label("is_owner")
)

_IS_ADDRESS_OF = select(
    exists().where(col(Address.mail_key) == bindparam("key"), col(Address.person_id) == bindparam("person"))
)


class PeopleError(Refusal):
    """Raised if an account operation is refused; str() is a sentence for the person."""


def checked_handle(session: Session, handle: str) -> str:
    """Return the handle of a new account, normalized; raise PeopleError if it is not allowed."""
    handle = handle.strip()
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{1,19}", handle):
        raise PeopleError(
            _("A handle has 2 to 20 letters, digits, “-” or “_”, and begins with a letter: for example ann7.")
        )
    if handle.endswith(("-", "_")):
        raise PeopleError(_("A handle ends with a letter or a digit: for example ann7."))
    if looks_like_robot(handle):
        raise PeopleError(_("Only robots have “robot” in their handle. Please choose another."))
    if is_reserved(handle):
        sentence = _("The handle “{handle}” is kept for the service itself. Please choose another.")
        raise PeopleError(sentence.format(handle=handle))
    _must_be_free(session, handle)
    return handle


def _must_be_free(session: Session, handle: str) -> None:
    keys = (handle.casefold(), departed_handle_key(handle))
    if session.exec(select(Person.id).where(col(Person.handle_key).in_(keys))).first() is not None:
        raise PeopleError(_("The handle “{handle}” is taken. Please choose another.").format(handle=handle))
    if _looks_like_another(session, handle):
        sentence = _("“{handle}” looks too much like the handle of another member. Please choose another.")
        raise PeopleError(sentence.format(handle=handle))


def _looks_like_another(session: Session, handle: str) -> bool:
    """Whether a handle can be read as that of another member, or of a departed one."""
    own = readings(handle)
    known = select(Person.id).where(col(Person.handle_skeleton).in_([*own, *map(departed_handle_key, own)]))
    if session.exec(known).first() is not None:
        return True
    similar = select(Person.handle).where(col(Person.handle_skeleton).in_(similar_skeletons(handle)))
    return any(own & readings(other) for other in session.exec(similar))


def add_person(session: Session, handle: str, **values: Any) -> Person:
    """Add a person with a handle that `checked_handle` has returned.

    Raises PeopleError if another person has taken the handle, or one like it, in the meantime.
    """
    hold_name(session, "handles")
    _must_be_free(session, handle)
    person = Person(handle=handle, handle_key=handle.casefold(), handle_skeleton=skeleton(handle), **values)
    session.add(person)
    session.flush()
    return person


def keep_handle_from_others(person: Person) -> None:
    """Replace a departed person's handle keys by hashes, so that nobody else can use the handle."""
    person.handle_key = departed_handle_key(person.handle_key)
    if person.handle_skeleton is not None:
        person.handle_skeleton = departed_handle_key(person.handle_skeleton)


def departed_handle_key(handle: str) -> str:
    """Return the hash that reserves a departed person's handle; it never equals a handle."""
    return f"~{hashlib.sha256(handle.casefold().encode()).hexdigest()}"


@cache
def _allow_own_networks() -> None:
    """Allow addresses in the domains of this host or network.

    A club may run the service there; the confirmation letter verifies the address anyway.
    """
    names = email_validator.SPECIAL_USE_DOMAIN_NAMES
    names[:] = [name for name in names if name not in ("local", "localhost", "test")]


def checked_address(mail: str) -> str:
    """Return the normalized mail address; raise PeopleError if it is invalid."""
    _allow_own_networks()
    try:
        if "=?" in mail:  # an encoded word, which mail programs might decode
            raise email_validator.EmailNotValidError(mail)
        return email_validator.validate_email(
            mail.strip(), check_deliverability=False, globally_deliverable=False, allow_smtputf8=False
        ).normalized
    except email_validator.EmailNotValidError as error:
        raise PeopleError(_("“{mail}” is not a mail address.").format(mail=mail.strip()[:80])) from error


_BY_HANDLE = select(Person).where(col(Person.handle_key) == bindparam("key"))


def person_by_handle(session: Session, handle: str) -> Person | None:
    """Return the person with this handle, ignoring case; None if unknown or departed.

    The handle of a merged account returns the account that it was merged into.
    """
    key = handle.strip().lstrip("@").casefold()
    person = session.exec(_BY_HANDLE, params={"key": key}).first()
    if person is not None and person.merged_into_id is not None:
        person = session.get_one(Person, person.merged_into_id)
    return person if person is not None and person.departed_at is None else None


def person_called(session: Session, handle: str) -> Person:
    """Return the person that `person_by_handle` finds. Raises PeopleError if there is none."""
    person = person_by_handle(session, handle)
    if person is None:
        raise PeopleError(nobody_called(handle))
    return person


def nobody_called(handle: str) -> str:
    """Return the error for an unknown handle."""
    return _("Nobody here is called “{handle}”.").format(handle=handle.strip()[:40])


def program_mark(person: Person) -> str:
    """Return the notice that a program plays for this member; empty for others.

    It is shown where people decide whether to play against the member.
    """
    return _("A program plays for {handle}.").format(handle=person.handle) if person.is_program else ""


def program_mark_for(language: str, person: Person) -> str:
    """Return `program_mark` in this language."""
    with in_language(language):
        return program_mark(person)


def person_by_address(session: Session, mail: str) -> Person | None:
    """Return the person with this verified address, or None."""
    return session.exec(_PERSON_AT, params={"key": mail_key(mail)}).first()


def is_address_of(session: Session, mail: str, person: Person) -> bool:
    """Whether this is one of a person's verified addresses."""
    return bool(db.value(session, _IS_ADDRESS_OF, key=mail_key(mail), person=person.id))


class Writer(NamedTuple):
    """The token to which a message was sent; `is_owner` if the token's owner sent the message."""

    token: Token
    is_owner: bool


def writer_to(session: Session, token_id: int, mail: str) -> Writer | None:
    """Return the token with this id, and whether its owner has this address; None if unknown.

    The query also loads the token's owner into the session, and its match as `with_players` does.
    """
    found = session.execute(_WRITER, {"key": mail_key(mail), "token": token_id}).all()
    if not found:
        return None
    if found[0].Player is not None:
        keep_seats_at_hand(session, found)
    elif found[0].Person is not None:
        keep_at_hand(session, found[0].Person)
    return Writer(found[0].Token, found[0].is_owner)


def new_token(
    session: Session,
    purpose: Purpose,
    *,
    now: datetime,
    person: Person | None = None,
    match_id: int | None = None,
    lasts: timedelta | None = None,
    **payload: Any,
) -> Token:
    """Add a token; without the argument `lasts` it does not expire."""
    token = Token(
        purpose=purpose,
        person_id=person.id if person else None,
        match_id=match_id,
        payload=json.dumps(payload),
        created_at=now,
        expires_at=now + lasts if lasts else None,
    )
    session.add(token)
    session.flush()
    return token


def live_token(session: Session, token_id: int | None, purpose: Purpose, *, now: datetime) -> Token:
    """Return the token if it has this purpose and is valid, and lock its row.

    Raises PeopleError with the same message if it is unknown, used or expired.
    """
    token = session.get(Token, token_id, with_for_update=True) if token_id is not None else None
    if token is None or token.purpose != purpose or token.used_at is not None or has_expired(token, now):
        raise PeopleError(_("This link or answer no longer works. Please ask for a new one."))
    return token


def payload_of(token: Token) -> dict[str, Any]:
    """Return the payload of the token; its keys depend on the purpose."""
    payload: dict[str, Any] = json.loads(token.payload)
    return payload


def has_expired(token: Token, now: datetime) -> bool:
    """Whether the token has expired."""
    return token.expires_at is not None and token.expires_at <= now


def command_token(session: Session, person: Person, *, now: datetime) -> Token:
    """Return the reply token for a person's letters outside games; add it if needed."""
    query = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.COMMANDS)
    query = query.where(col(Token.used_at).is_(None))
    return session.exec(query).first() or new_token(session, Purpose.COMMANDS, now=now, person=person)


def ask_to_sign_in(session: Session, address_or_handle: str, *, now: datetime) -> None:
    """Queue a request for a sign-in letter without looking up the account.

    `request_sign_in` writes the letter later.
    """
    session.add(LetterRequest(kind=RequestKind.SIGN_IN, mail=address_or_handle, created_at=now))
    notify_from(session)


def request_sign_in(session: Session, address_or_handle: str, *, now: datetime) -> None:
    """Mail a sign-in link to the person with this address or handle.

    The result does not reveal whether there is such a person. The letter goes to the given address if it is verified,
    otherwise to the main one.
    """
    is_address = "@" in address_or_handle.strip("@")
    person = (person_by_address if is_address else person_by_handle)(session, address_or_handle)
    mail = address_or_handle if is_address else mail_of(session, person) if person is not None else None
    if person is not None and mail is not None and SIGN_INS.has_room(session, person, mail, is_proven=False, now=now):
        _write_link(session, person, verified_mail(session, mail), now)


def mail_link(session: Session, person: Person, *, is_proven: bool = False, now: datetime) -> None:
    """Mail a sign-in link to a person's main address; raise PeopleError if over budget.

    `is_proven` means that a session or token, not only a From line, identifies the requester.
    """
    mail = mail_of(session, person)
    if mail is not None and not SIGN_INS.has_room(session, person, mail, is_proven=is_proven, now=now):
        raise PeopleError(_("We've sent you several sign-in links lately. Please use the last one, or wait a little."))
    _write_link(session, person, mail or "", now)


def _write_link(session: Session, person: Person, mail: str, now: datetime) -> None:
    """Write the sign-in letter to one of the person's addresses."""
    to = to_address(session, person, mail)
    token = new_token(session, Purpose.SIGN_IN, now=now, person=person, lasts=SIGN_IN_WITHIN, mail=mail)
    command = command_token(session, person, now=now)
    draft = Draft(kinds.SIGN_IN, f"sign-in:{token.id}", reply_token=command.id, link_token=token.id)
    write_letter(session, to, draft, now=now, until=token.expires_at)


def verified_mail(session: Session, mail: str) -> str:
    """Return a verified address in the spelling in which its owner confirmed it."""
    return session.exec(select(Address.mail).where(col(Address.mail_key) == mail_key(mail))).one()


def require_room(session: Session, person: Person, budget: LetterBudget, *, now: datetime) -> None:
    """Raise PeopleError if this mailbox has no room for one more notification letter.

    This limits actions in a person's own session that each send a letter.
    """
    mail = mail_of(session, person)
    if mail is not None and not budget.has_room(session, person, mail, is_proven=True, now=now):
        raise PeopleError(_("You have done this too many times today. Please wait until tomorrow."))


def sign_in(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Use up a sign-in link and return its person; raise PeopleError if it is invalid."""
    token = live_token(session, token_id, Purpose.SIGN_IN, now=now)
    token.used_at = now
    session.add(token)
    person = session.get_one(Person, token.person_id)
    person.seen_at = now
    session.add(person)
    mail = payload_of(token).get("mail") or mail_of(session, person)
    if mail is not None:
        suppressions.lift(session, mail)  # the letter with the link arrived
    return person
