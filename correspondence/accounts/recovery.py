"""Recovery codes, for a member who has lost access to all of their mail addresses.

A code is random. Once its letter has been sent, only its keyed hash is stored (outbound/recovery_codes.py). Older codes
were derived from their token's id and the secret key; they work until they are used or replaced. A code works once, and
a new one replaces it.

When somebody sends a code from a new address, a letter to that address asks for confirmation. A yes makes it the main
address, revokes all browsers, links and reply addresses, and notifies all earlier addresses, which can undo it for a
week. It takes effect at once, because clocks keep running.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlmodel import Session, col, func, select

from correspondence.accounts import address_changes
from correspondence.accounts.accounts import (
    PeopleError,
    checked_address,
    command_token,
    live_token,
    new_token,
    payload_of,
)
from correspondence.accounts.addresses import CONFIRM_WITHIN
from correspondence.core import tokens
from correspondence.models import Letter, LetterRequest, Person, Purpose, RequestKind, Token
from correspondence.models.locks import hold_person
from correspondence.outbound import kinds, recovery_codes
from correspondence.outbound.letters import Draft, mail_of, to_person, write_letter
from engines.wording import N_, _

CODES_A_DAY = 3
"""Maximum number of letters with a new code to a person in 24 hours."""

ASKED_A_DAY = 10
"""Maximum number of confirmation letters about a person's addresses in 24 hours.

The limit is shared with `addresses.ask_to_add`, which has a lower limit of its own.
"""


def make_code(session: Session, person: Person, *, now: datetime) -> Token:
    """Make a new code and invalidate the previous one; only a letter shows it."""
    old = update(Token).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.RECOVERY)
    session.execute(old.where(col(Token.used_at).is_(None)).values(used_at=now))
    return new_token(session, Purpose.RECOVERY, now=now, person=person, is_random=True)


def code_made_at(session: Session, person: Person) -> datetime | None:
    """Return when the current code of a person was made; None if there is none."""
    query = select(Token.created_at).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.RECOVERY)
    return session.exec(query.where(col(Token.used_at).is_(None))).first()


def send_new_code(session: Session, person: Person, *, now: datetime) -> None:
    """Mail a new code to the main address and notify the other addresses.

    Raises PeopleError at the limit of `CODES_A_DAY`.
    """
    hold_person(session, person)
    sent = select(func.count()).select_from(Letter).where(col(Letter.person_id) == person.id)
    sent = sent.where(col(Letter.kind) == kinds.RECOVERY.name, col(Letter.created_at) > now - timedelta(days=1))
    if session.exec(sent).one() >= CODES_A_DAY:
        sentence = _(
            "We've sent you {count} recovery codes within a day; the last one works. Please wait until tomorrow."
        )
        raise PeopleError(sentence.format(count=CODES_A_DAY))
    token, command = make_code(session, person, now=now), command_token(session, person, now=now)
    nonce = recovery_codes.new_nonce()
    draft = Draft(
        kinds.RECOVERY, f"recovery:t{token.id}", reply_token=command.id, link_token=token.id, code_nonce=nonce
    )
    write_letter(session, to_person(session, person), draft, now=now, handle=person.handle)
    before, main = address_changes.snapshot(session, person), mail_of(session, person)
    others = [one["mail"] for one in before if one["mail"] != main]
    what = N_("A new recovery code has been sent to {mail}, and the old one no longer works.")
    address_changes.tell(session, person, before, what, main or "", now=now, only=others)


def ask(session: Session, code: str, mail: str, *, key: str, now: datetime) -> None:
    """Queue the letter to `mail` that asks whether to recover the account of a code.

    `key` is the secret key. Raises PeopleError if the address is invalid; the sentence for invalid codes is always the
    same.
    """
    mail = checked_address(mail)
    token_id = _token_of(session, plain_code(code), key)
    address_changes.lock_owner(session, token_id)
    try:
        person = session.get_one(Person, live_token(session, token_id, Purpose.RECOVERY, now=now).person_id)
    except PeopleError as error:
        sentence = _("This recovery code doesn't work. Each code works once, and a new one replaces the one before.")
        raise PeopleError(sentence) from error
    requests = select(func.count()).select_from(Token).where(col(Token.person_id) == person.id)
    requests = requests.where(col(Token.purpose) == Purpose.ADDRESS, col(Token.created_at) > now - timedelta(days=1))
    if session.exec(requests).one() >= ASKED_A_DAY:
        raise PeopleError(_("You have asked for this too often today. Please wait until tomorrow."))
    token = new_token(
        session, Purpose.ADDRESS, now=now, person=person, lasts=CONFIRM_WITHIN, mail=mail, recovery=token_id
    )
    payload = json.dumps({"token": token.id})
    session.add(LetterRequest(kind=RequestKind.ADDRESS, mail=mail, payload=payload, created_at=now))


def _token_of(session: Session, code: str, key: str) -> int | None:
    """Return the token id of a code, whether or not it was used; None if it is invalid."""
    known = select(Token.id).where(
        col(Token.digest) == recovery_codes.digest_of(key, code), col(Token.purpose) == Purpose.RECOVERY
    )
    number = session.exec(known).first() or tokens.read(key, code, tokens.RECOVERY)
    token = session.get(Token, number) if number is not None else None
    is_spelled = token is not None and token.digest is None
    return None if token is None or (is_spelled and payload_of(token).get("is_random")) else token.id


def plain_code(code: str) -> str:
    """Normalize a code: remove blanks and dashes, and replace 0 and 8 by o and b."""
    return re.sub(r"[^a-z0-9]", "", code.casefold()).translate({ord("0"): "o", ord("8"): "b"})
