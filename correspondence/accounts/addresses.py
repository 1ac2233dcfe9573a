"""The mail addresses of a person: adding, removing and choosing the main one.

Letters go to the main address. A new address is added by answering the letter that is sent there. Every change is
announced to all earlier addresses (address_changes.py). Nothing here reveals whether an address belongs to another
member.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from correspondence.accounts import access, accounts, address_changes
from correspondence.accounts.access import Ending
from correspondence.accounts.accounts import PeopleError, checked_address, live_token, new_token, payload_of
from correspondence.accounts.address_changes import addresses_of, redirect_waiting
from correspondence.mime.mail_keys import mail_key, mailbox_key
from correspondence.models import Address, Letter, LetterRequest, Person, Purpose, RequestKind, Scope, Token
from correspondence.models.locks import hold_name, hold_person
from correspondence.outbound import kinds, suppressions
from correspondence.outbound.letters import Draft, To, to_address, write_letter
from engines.wording import N_, _, listing

MOST = 5
"""Maximum number of addresses of a person."""

ASKED_A_DAY = 5
"""Maximum number of addresses that a person can ask to add in 24 hours."""

LETTERS_A_DAY = 3
"""Maximum number of confirmation letters to one mailbox in 24 hours, against flooding."""

TOLD_A_DAY = 30
"""Maximum number of change notices to a person in 24 hours.

Beyond it, changes are refused, except undoing one.
"""

CONFIRM_WITHIN = timedelta(days=3)
"""Time within which the letter to a new address can be answered."""


_ADDED = N_("{mail} has been added to your addresses.")
_REMOVED = N_(
    "{mail} has been removed from your addresses. Earlier letters that belong to no game can no longer be "
    "answered; please reply to this one."
)
_HELPED = N_(
    "With the operator's help, {mail} has been made your main address. Every browser has been signed out, "
    "and the reply addresses and links in earlier letters no longer work."
)
_RECOVERED = N_(
    "With your recovery code, {mail} has been made your main address. Every browser has been signed out, and "
    "the reply addresses and links in earlier letters no longer work. The code has been used up; for a new "
    "one, write the line: recovery code"
)


def ask_to_add(session: Session, person: Person, mail: str, *, now: datetime) -> str:
    """Queue the confirmation letter to a new address, and return the normalized address.

    Other members' addresses are not looked up. Raises PeopleError if the address is invalid, already the person's, or
    exceeds the limit.
    """
    hold_person(session, person)
    mail = checked_address(mail)
    _require_new(session, person, mail)
    requests = select(func.count()).select_from(Token).where(col(Token.created_at) > now - timedelta(days=1))
    requests = requests.where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.ADDRESS)
    if session.exec(requests).one() >= ASKED_A_DAY:
        sentence = _("You have asked to add {count} addresses within a day. Please wait until tomorrow.")
        raise PeopleError(sentence.format(count=ASKED_A_DAY))
    token = new_token(session, Purpose.ADDRESS, now=now, person=person, lasts=CONFIRM_WITHIN, mail=mail)
    payload = json.dumps({"token": token.id})
    session.add(LetterRequest(kind=RequestKind.ADDRESS, mail=mail, payload=payload, created_at=now))
    return mail


def _require_new(session: Session, person: Person, mail: str, *, has_code: bool = False) -> None:
    own = addresses_of(session, person)
    if mail_key(mail) in [address.mail_key for address in own]:
        raise PeopleError(_("{mail} is already one of your addresses.").format(mail=mail))
    if len(own) >= MOST and not has_code:
        sentence = _("You have {count} addresses, which is the maximum. Please remove one first.")
        raise PeopleError(sentence.format(count=MOST))


def asked_sentence(mail: str) -> str:
    """Return a sentence that a confirmation letter is on its way, even if the address is taken."""
    sentence = _("We've sent a letter to {mail} to ask whether it is yours. The address is added once you answer yes.")
    return sentence.format(mail=mail)


def cancelled_sentence(mail: str) -> str:
    """Return a sentence that an unconfirmed address has been removed."""
    return _("{mail} has not been added, and cannot be: its letter no longer works.").format(mail=mail)


def write_confirmation_letter(session: Session, token_id: int, *, now: datetime) -> None:
    """Write the confirmation letter to a new address.

    No letter is written if the token was used or cancelled, or the mailbox is at `LETTERS_A_DAY`. If another member has
    the address, that member is told that it cannot be added; the requester is not.
    """
    token = session.get(Token, token_id)
    if token is None or token.used_at is not None:
        return
    person, mail = session.get_one(Person, token.person_id), payload_of(token)["mail"]
    hold_name(session, mailbox_key(mail))
    sent = select(func.count()).select_from(Letter).where(col(Letter.mailbox) == mailbox_key(mail))
    sent = sent.where(col(Letter.kind) == kinds.ADDRESS.name, col(Letter.created_at) > now - timedelta(days=1))
    if session.exec(sent).one() >= LETTERS_A_DAY:
        return
    owner = accounts.person_by_address(session, mail)
    to = To(mail, person.language, person.zone) if owner is None else to_address(session, owner, mail)
    link = token.id if owner is None else None
    draft = Draft(kinds.ADDRESS, f"address:t{token.id}", reply_token=link, link_token=link)
    write_letter(
        session, to, draft, now=now, handle=person.handle, until=token.expires_at, is_taken=owner is not None,
        is_recovery="recovery" in payload_of(token),
    )  # fmt: skip


def confirm(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Add the address that the token was mailed to; idempotent. Raises PeopleError."""
    address_changes.lock_owner(session, token_id)
    token = session.get(Token, token_id, with_for_update=True) if token_id is not None else None
    if token is not None and token.purpose == Purpose.ADDRESS and _is_added(session, token):
        return session.get_one(Person, token.person_id)
    token = live_token(session, token_id, Purpose.ADDRESS, now=now)
    person = session.get_one(Person, token.person_id)
    payload = payload_of(token)
    mail, code = payload["mail"], payload.get("recovery")
    takes_over = code is not None or "operator" in payload
    _require_new(session, person, mail, has_code=takes_over)
    before = address_changes.snapshot(session, person)
    if code is not None:
        live_token(session, code, Purpose.RECOVERY, now=now)
    address = _add(session, person, mail, now)
    token.used_at = now
    session.add(token)
    for scope in Scope:
        suppressions.lift(session, mail, scope)  # the address has received and answered a letter
    if takes_over:
        _set_main(session, address)
        access.end(session, person, Ending.RECOVERY, now=now)
    what = _RECOVERED if code is not None else _HELPED if takes_over else _ADDED
    address_changes.tell(session, person, before, what, mail, now=now)
    return person


def checked_for_takeover(session: Session, person: Person, mail: str) -> str:
    """Return the normalized address if an operator may offer this account to it.

    Raises PeopleError otherwise.
    """
    mail = checked_address(mail)
    owner = accounts.person_by_address(session, mail)
    if owner is not None and owner.id == person.id:
        raise PeopleError(_("{mail} is already an address of {handle}.").format(mail=mail, handle=person.handle))
    if owner is not None:
        raise PeopleError(_("{mail} belongs to another account here.").format(mail=mail))
    _require_new(session, person, mail, has_code=True)
    return mail


def offer_takeover(session: Session, person: Person, mail: str, *, now: datetime) -> Token:
    """Ask an address by letter whether to become the main one of a person who lost theirs.

    A yes ends all other access. The operator's action that calls this also notifies the person. Raises PeopleError.
    """
    hold_person(session, person)
    mail = checked_for_takeover(session, person, mail)
    token = new_token(session, Purpose.ADDRESS, now=now, person=person, lasts=CONFIRM_WITHIN, mail=mail, operator=True)
    write_confirmation_letter(session, token.id, now=now)
    return token


def _is_added(session: Session, token: Token) -> bool:
    owner = accounts.person_by_address(session, payload_of(token)["mail"])
    return token.used_at is not None and owner is not None and owner.id == token.person_id


def _add(session: Session, person: Person, mail: str, now: datetime) -> Address:
    address = Address(person_id=person.id, mail=mail, mail_key=mail_key(mail), verified_at=now)
    try:
        with session.begin_nested():
            session.add(address)
    except IntegrityError as error:  # only the owner of the mailbox can read this
        raise PeopleError(_("{mail} belongs to another account here.").format(mail=mail)) from error
    return address


def remove(session: Session, person: Person, mail: str, *, now: datetime) -> bool:
    """Remove an address of a person; return False if it was only waiting for confirmation.

    If it was the main one, the oldest of the others becomes main. For an unconfirmed address, only its letter is
    invalidated. Raises PeopleError if it is not the person's, or their only one.
    """
    hold_person(session, person)
    own, before = addresses_of(session, person), address_changes.snapshot(session, person)
    address = next((one for one in own if one.mail_key == mail_key(mail)), None)
    if address is None:
        if _cancel_asked(session, person, mail, now):
            return False
        raise _not_theirs(mail, own)
    if len(own) == 1:
        sentence = _("{mail} is your only address. Please add another one first.")
        raise PeopleError(sentence.format(mail=address.mail))
    _require_few_changes(session, person, now)
    written = address.mail
    session.delete(address)
    session.flush()
    if address.is_main:
        _set_main(session, own[1])
    access.end(session, person, Ending.REMOVAL, now=now)  # its letters may contain links and tokens
    redirect_waiting(session, person)
    address_changes.tell(session, person, before, _REMOVED, written, now=now)
    return True


def _require_few_changes(session: Session, person: Person, now: datetime) -> None:
    notices = select(func.count()).select_from(Letter).where(col(Letter.person_id) == person.id)
    notices = notices.where(
        col(Letter.kind) == kinds.ADDRESS_CHANGED.name, col(Letter.created_at) > now - timedelta(days=1)
    )
    if session.exec(notices).one() >= TOLD_A_DAY:
        raise PeopleError(_("You have changed your addresses too many times today. Please wait until tomorrow."))


def asked_mails(session: Session, person: Person, *, now: datetime) -> tuple[str, ...]:
    """Return the addresses that are not confirmed yet, oldest first."""
    own = [one.mail_key for one in addresses_of(session, person)]
    mails = (payload_of(token)["mail"] for token in _open_tokens(session, person, now))
    return tuple(dict.fromkeys(mail for mail in mails if mail_key(mail) not in own))


def _cancel_asked(session: Session, person: Person, mail: str, now: datetime) -> bool:
    """Invalidate the open confirmation letters to an address; return whether there were any."""
    tokens = _open_tokens(session, person, now)
    cancelled = [token for token in tokens if mail_key(payload_of(token)["mail"]) == mail_key(mail)]
    for token in cancelled:
        token.used_at = now
        session.add(token)
    return bool(cancelled)


def _open_tokens(session: Session, person: Person, now: datetime) -> list[Token]:
    query = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.ADDRESS)
    query = query.where(col(Token.used_at).is_(None), col(Token.expires_at) > now)
    return list(session.exec(query.order_by(col(Token.id))))


def _not_theirs(mail: str, own: list[Address]) -> PeopleError:
    known = listing([address.mail for address in own], _("and"))
    sentence = _("{mail} is not one of your addresses. You have {known}.")
    return PeopleError(sentence.format(mail=mail.strip()[:80], known=known))


def choose_main(session: Session, person: Person, mail: str, *, now: datetime) -> None:
    """Make this the main address, to which letters go.

    Raises PeopleError if it is not theirs, or already the main one.
    """
    hold_person(session, person)
    own, before = addresses_of(session, person), address_changes.snapshot(session, person)
    address = next((one for one in own if one.mail_key == mail_key(mail)), None)
    if address is None:
        raise _not_theirs(mail, own)
    if address.is_main:
        raise PeopleError(_("Your letters already go to {mail}.").format(mail=address.mail))
    _require_few_changes(session, person, now)
    _set_main(session, address)
    address_changes.tell(session, person, before, N_("Your letters now go to {mail}."), address.mail, now=now)


def _set_main(session: Session, address: Address) -> None:
    others = update(Address).where(col(Address.person_id) == address.person_id)
    session.execute(others.values(is_main=False))
    address.is_main = True
    session.add(address)
    session.flush()
