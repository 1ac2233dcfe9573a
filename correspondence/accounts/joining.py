"""Joining: a letter asks the owner of an address, and the answer creates the account."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts import letter_stops, robots
from correspondence.accounts.accounts import (
    PeopleError,
    add_person,
    checked_address,
    checked_handle,
    command_token,
    has_expired,
    live_token,
    new_token,
    person_by_address,
    request_sign_in,
)
from correspondence.core import zone_cities
from correspondence.core.i18n import LANGUAGES, in_language, zones
from correspondence.mime.mail_keys import mail_key, mailbox_key
from correspondence.models import Address, Letter, LetterRequest, Person, Purpose, RequestKind, Scope, Token
from correspondence.models.locks import hold_name
from correspondence.outbound import kinds, recovery_codes, suppressions
from correspondence.outbound.letters import Draft, To, to_person, write_letter
from engines.wording import _

CONFIRM_WITHIN = timedelta(days=3)
"""Time within which the confirmation letter can be answered."""

LETTERS_A_DAY = 3
"""Maximum number of confirmation letters to one mailbox in a day."""

AGAIN_AFTER = timedelta(hours=1)
"""Minimum time between two letters about the same handle."""


def request_join(
    session: Session,
    handle: str,
    mail: str,
    *,
    now: datetime,
    language: str = "en",
    zone: str = "UTC",
    in_reply_to: str = "",
    answers: bool = False,
    offset: int | None = None,
    is_invited: bool = False,
) -> None:
    """Ask the owner of `mail` by letter whether to join; the answer creates the account.

    `answers` means that the letter replies to a mail from this address, so it is sent even if the address refuses
    notices. `offset` is the UTC offset of that mail's clock, in minutes; a time zone is proposed from it later.
    `is_invited` means that the token of an invitation vouches for them, so requests by others do not count.

    Raises PeopleError if the handle or address is invalid, the handle is taken, or the mailbox has just had a letter or
    too many today. A member's address raises no error.
    """
    mail, handle = checked_address(mail), checked_handle(session, handle)
    request: dict[str, Any] = {"language": language, "zone": zone, "in_reply_to": in_reply_to, "offset": offset}
    request["is_invited"] = is_invited
    if not write_join_letter(session, handle, mail, now=now, answers=answers, **request):
        sentence = _(
            "We've already sent a letter to {mail} to ask whether you want to join: reply yes, or open the "
            "page that it links to. It may be in your spam folder. If it does not arrive, ask for another "
            "one in an hour. We send at most {count} a day."
        )
        raise PeopleError(sentence.format(mail=mail, count=LETTERS_A_DAY))


def ask_to_join(
    session: Session, handle: str, mail: str, *, now: datetime, language: str = "en", zone: str = "UTC"
) -> None:
    """Queue a request for a confirmation letter without looking up the address.

    Raises PeopleError if the handle or the address is not allowed.
    """
    request = {"handle": checked_handle(session, handle), "language": language, "zone": zone}
    mail = checked_address(mail)
    session.add(LetterRequest(kind=RequestKind.JOIN, mail=mail, payload=json.dumps(request), created_at=now))


def faults_of(session: Session, handle: str, mail: str) -> dict[str, str]:
    """Return why a handle and an address are not allowed, by field (`handle`, `mail`); empty if both are."""
    faults = {}
    try:
        checked_handle(session, handle)
    except PeopleError as error:
        faults["handle"] = str(error)
    try:
        checked_address(mail)
    except PeopleError as error:
        faults["mail"] = str(error)
    return faults


def write_join_letter(
    session: Session,
    handle: str,
    mail: str,
    *,
    now: datetime,
    language: str,
    zone: str,
    in_reply_to: str = "",
    answers: bool = False,
    offset: int | None = None,
    is_invited: bool = False,
) -> bool:
    """Write the confirmation letter for a checked handle and address; False if over the limit.

    A member's address gets a sign-in link instead, so that a stranger learns nothing. A mailbox gets at most
    `LETTERS_A_DAY`, and another one about the same handle only after `AGAIN_AFTER`.
    """
    if person_by_address(session, mail) is not None:
        request_sign_in(session, mail, now=now)
        return True
    hold_name(session, mailbox_key(mail))
    language = language if language in LANGUAGES else "en"
    zone = zone if zone in zones() else "UTC"
    to = To(mail, language, zone, name=handle)
    key = _free_key(session, to, now, is_invited=is_invited)
    if key:
        _write_confirmation_letter(
            session, to, key, now, in_reply_to, answers=answers or bool(in_reply_to), offset=offset,
            is_invited=is_invited,
        )  # fmt: skip
    return bool(key)


def _free_key(session: Session, to: To, now: datetime, *, is_invited: bool) -> str:
    """Return the key of the next confirmation letter to this mailbox; "" if over the limit."""
    kind = "join-invited" if is_invited else "join"
    keys = [f"{kind}:{mailbox_key(to.mail)}:{now:%Y-%m-%d}:{number}" for number in range(LETTERS_A_DAY)]
    earlier = session.exec(
        select(Letter.key, Letter.created_at, Token.payload)
        .join(Token, col(Token.id) == col(Letter.reply_token_id))
        .where(col(Letter.key).in_(keys))
    ).all()
    just_asked = [json.loads(payload)["handle"].casefold() for _key, at, payload in earlier if at > now - AGAIN_AFTER]
    used = {key for key, _at, _payload in earlier}
    return "" if to.name.casefold() in just_asked else next((key for key in keys if key not in used), "")


def _write_confirmation_letter(
    session: Session, to: To, key: str, now: datetime, in_reply_to: str, *, answers: bool, offset: int | None,
    is_invited: bool,
) -> None:  # fmt: skip
    stop = letter_stops.address_token(session, to.mail, now=now)
    token = new_token(
        session, Purpose.JOIN, now=now, lasts=CONFIRM_WITHIN,
        handle=to.name, mail=to.mail, language=to.language, zone=to.zone, offset=offset,
    )  # fmt: skip
    draft = Draft(
        kinds.JOIN, key, reply_token=token.id, link_token=token.id, stop_token=stop.id,
        in_reply_to=in_reply_to, answers=answers, is_unproven=not is_invited,
    )  # fmt: skip
    write_letter(session, to, draft, now=now, handle=to.name, until=token.expires_at)


def confirm_join(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Create the account that the token was issued for; idempotent.

    Raises PeopleError if the token is not valid or the handle has been taken in the meantime.
    """
    token = session.get(Token, token_id, with_for_update=True) if token_id is not None else None
    if token is not None and token.purpose == Purpose.JOIN and token.person_id and not has_expired(token, now):
        return session.get_one(Person, token.person_id)
    token = live_token(session, token_id, Purpose.JOIN, now=now)
    request = json.loads(token.payload)
    person = person_by_address(session, request["mail"]) or _new_person(session, request, now)
    token.used_at, token.person_id = now, person.id
    session.add(token)
    return person


def sign_in_by_join_link(session: Session, token_id: int | None, *, now: datetime) -> Person:
    """Confirm the account of a join link and return the person; reject a used token.

    Raises PeopleError like `confirm_join`.
    """
    live_token(session, token_id, Purpose.JOIN, now=now)
    return confirm_join(session, token_id, now=now)


def _new_person(session: Session, request: dict[str, Any], now: datetime) -> Person:
    handle = checked_handle(session, request["handle"])
    person = add_person(session, handle, language=request["language"], zone=request["zone"], joined_at=now, seen_at=now)
    mail = request["mail"]
    session.add(Address(person_id=person.id, mail=mail, mail_key=mail_key(mail), is_main=True, verified_at=now))
    session.flush()
    suppressions.lift(session, mail, Scope.NOTICES)
    command = command_token(session, person, now=now)
    code = new_token(session, Purpose.RECOVERY, now=now, person=person, is_random=True)
    nonce = recovery_codes.new_nonce()
    draft = Draft(kinds.WELCOME, f"welcome:u{person.id}", reply_token=command.id, link_token=code.id, code_nonce=nonce)
    offset, cities = _zone_proposal(request.get("offset"), person, now)
    write_letter(
        session, to_person(session, person), draft, now=now, handle=handle, offset=offset, cities=cities,
        robots=robots.are_awake(session, now=now),
    )  # fmt: skip
    return person


def _zone_proposal(offset: int | None, person: Person, now: datetime) -> tuple[str, list[str]]:
    """Describe the clock of a person's mail, and list cities with that UTC offset.

    Empty without an offset, without such cities, or if the person's zone is not UTC.
    """
    cities = zone_cities.cities_at(offset, now) if offset is not None and person.zone == "UTC" else []
    if offset is None or not cities:
        return "", []
    with in_language(person.language):
        return zone_cities.offset_sentence(offset), cities
