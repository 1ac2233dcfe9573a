"""People: joining, signing in, preferences. An account begins when its address is confirmed."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime, timedelta
from typing import Any

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.core.i18n import LANGUAGES, zones
from correspondence.mime.classify import mail_key, mailbox_key
from correspondence.models import Address, Letter, LetterRequest, Person, Purpose, RequestKind, Scope, Token
from correspondence.outbound import suppressions
from correspondence.outbound.letters import To, is_written, mail_of, to_person, write_letter
from engines.refusal import Refusal
from engines.wording import N_, _, listing

CONFIRM_WITHIN = timedelta(days=3)
"""How long the letter that confirms an address can be answered."""

SIGN_IN_WITHIN = timedelta(hours=1)
"""How long a sign-in link works."""

TESTS_PER_HOUR = 3
"""How many test letters a person can have in an hour."""

LONGEST_LEAD = 168
"""How many hours before a deadline one can be reminded at most."""

SIGN_INS_PER_HOUR = 5
"""How many sign-in letters one address can have in an hour."""

DEPARTED = N_("departed player")
"""What somebody who has left is called in the games he played."""

RESERVED = frozenset(
    [
        "abuse",
        "admin",
        "administrator",
        "anonymous",
        "chance",
        "correspondence",
        "help",
        "mail",
        "nobody",
        "play",
        "postmaster",
        "robot",
        "root",
        "service",
        "support",
        "system",
        "white",
        "black",
    ]
)
"""Handles that nobody can take."""

_AT = (
    select(Person)
    .join(Address, col(Address.person_id) == col(Person.id))
    .where(col(Address.mail_key) == bindparam("key"))
)

_STOP_TOKEN = select(Token).where(col(Token.person_id) == bindparam("person"), col(Token.purpose) == Purpose.STOP)

for _own_network in ("local", "localhost", "test"):  # a club may live on one machine: the letter itself is the proof
    if _own_network in SPECIAL_USE_DOMAIN_NAMES:
        SPECIAL_USE_DOMAIN_NAMES.remove(_own_network)


class PeopleError(Refusal):
    """A refusal: str() is a sentence for the person."""


def checked_handle(session: Session, handle: str) -> str:
    """The handle as it will be shown; raises PeopleError where it cannot be taken."""
    handle = handle.strip()
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{1,19}", handle):
        raise PeopleError(
            _("A handle has 2 to 20 letters, digits, “-” or “_”, and begins with a letter: for example ann7.")
        )
    keys = (handle.casefold(), kept_key(handle))
    is_taken = session.exec(select(Person.id).where(col(Person.handle_key).in_(keys))).first() is not None
    if handle.casefold() in RESERVED or is_taken:
        raise PeopleError(_("The handle “{handle}” is taken. Please choose another.").format(handle=handle))
    return handle


def kept_key(handle: str) -> str:
    """What keeps the handle of somebody who has left from being taken: a hash that no handle looks like."""
    return f"~{hashlib.sha256(handle.casefold().encode()).hexdigest()}"


def checked_address(mail: str) -> str:
    """The address as it will be written to; raises PeopleError where it is none."""
    try:
        if "=?" in mail:  # where an encoded word begins, and nothing that any program could be relied on to leave alone
            raise EmailNotValidError(mail)
        return validate_email(
            mail.strip(), check_deliverability=False, globally_deliverable=False, allow_smtputf8=False
        ).normalized
    except EmailNotValidError as error:
        raise PeopleError(_("“{mail}” is not a mail address.").format(mail=mail.strip()[:80])) from error


def person_called(session: Session, handle: str) -> Person | None:
    """The person with this handle, in any letter case; nobody who has departed."""
    key = handle.strip().lstrip("@").casefold()
    found = select(Person).where(col(Person.handle_key) == key, col(Person.departed_at).is_(None))
    return session.exec(found).first()


def person_at(session: Session, mail: str) -> Person | None:
    """The person whose verified address this is."""
    return session.exec(_AT, params={"key": mail_key(mail)}).first()


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
    """A token row; without `lasts` it works until it is closed."""
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


def live_token(session: Session, number: int | None, purpose: Purpose, *, now: datetime) -> Token:
    """The token row of this purpose; raises PeopleError when it is unknown, used or expired, all alike."""
    token = session.get(Token, number, with_for_update=True) if number is not None else None
    if token is None or token.purpose != purpose or token.used_at is not None or has_expired(token, now):
        raise PeopleError(_("This link or answer no longer works. Please ask for a new one."))
    return token


def payload_of(token: Token) -> dict[str, Any]:
    """What the token carries; its form belongs to its purpose."""
    payload: dict[str, Any] = json.loads(token.payload)
    return payload


def has_expired(token: Token, now: datetime) -> bool:
    """Whether the token's time is over."""
    return token.expires_at is not None and token.expires_at <= now


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
) -> None:
    """Write to `mail` to ask whether its owner wants to join as `handle`; no account exists before the answer.

    With `answers` it answers a mail from there, and goes to an address too that wants no letters asked for by others.
    Raises PeopleError where the handle or the address cannot be, whoever has the address.
    """
    mail, handle = checked_address(mail), checked_handle(session, handle)
    asked = {"language": language, "zone": zone, "in_reply_to": in_reply_to}
    write_join_letter(session, handle, mail, now=now, answers=answers, **asked)


def ask_to_join(
    session: Session, handle: str, mail: str, *, now: datetime, language: str = "en", zone: str = "UTC"
) -> None:
    """Let the worker write the letter that `request_join` writes: nothing is looked up here about the address.

    Raises PeopleError as that does.
    """
    asked = {"handle": checked_handle(session, handle), "language": language, "zone": zone}
    mail = checked_address(mail)
    session.add(LetterRequest(kind=RequestKind.JOIN, mail=mail, payload=json.dumps(asked), created_at=now))


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
) -> None:
    """Write the letter that asks whether to join; handle and address were checked.

    An address that has joined already gets a sign-in link instead, so that a stranger learns nothing.
    At most one such letter goes to a mailbox in a day.
    """
    if person_at(session, mail) is not None:
        request_sign_in(session, mail, now=now)
        return
    language = language if language in LANGUAGES else "en"
    zone = zone if zone in zones() else "UTC"
    to = To(mail, language, zone, name=handle)
    if not is_written(session, key := f"join:{mailbox_key(mail)}:{now:%Y-%m-%d}"):
        _ask_to_confirm(session, to, key, now, in_reply_to, answers=answers or bool(in_reply_to))


def _ask_to_confirm(session: Session, to: To, key: str, now: datetime, in_reply_to: str, *, answers: bool) -> None:
    asked: dict[str, Any] = {"handle": to.name, "mail": to.mail, "language": to.language, "zone": to.zone}
    token = new_token(session, Purpose.JOIN, now=now, lasts=CONFIRM_WITHIN, **asked)
    write_letter(
        session,
        "join",
        to,
        key,
        now=now,
        reply_token=token.id,
        link_token=token.id,
        in_reply_to=in_reply_to,
        answers=answers,
        handle=to.name,
        until=token.expires_at,
    )


def confirm_join(session: Session, number: int | None, *, now: datetime) -> Person:
    """The account that the token was asked for; used again within its time it names the same account.

    Raises PeopleError when the token does not work or the handle was taken meanwhile.
    """
    token = session.get(Token, number, with_for_update=True) if number is not None else None
    if token is not None and token.purpose == Purpose.JOIN and token.person_id and not has_expired(token, now):
        return session.get_one(Person, token.person_id)
    token = live_token(session, number, Purpose.JOIN, now=now)
    asked = json.loads(token.payload)
    person = person_at(session, asked["mail"]) or _new_person(session, asked, now)
    token.used_at, token.person_id = now, person.id
    session.add(token)
    return person


def enter_by_joining(session: Session, number: int | None, *, now: datetime) -> Person:
    """The new member whose link to join was followed: it signs in once, whoever answered the letter before.

    Raises PeopleError as `confirm_join` does.
    """
    live_token(session, number, Purpose.JOIN, now=now)
    return confirm_join(session, number, now=now)


def _new_person(session: Session, asked: dict[str, str], now: datetime) -> Person:
    handle = checked_handle(session, asked["handle"])
    person = Person(
        handle=handle,
        handle_key=handle.casefold(),
        language=asked["language"],
        zone=asked["zone"],
        joined_at=now,
        seen_at=now,
    )
    session.add(person)
    session.flush()
    mail = asked["mail"]
    session.add(Address(person_id=person.id, mail=mail, mail_key=mail_key(mail), verified_at=now))
    session.flush()
    suppressions.lift(session, mail, Scope.NOTICES)
    write_letter(
        session,
        "welcome",
        to_person(session, person),
        f"welcome:u{person.id}",
        now=now,
        reply_token=desk_token(session, person, now=now).id,
        handle=handle,
    )
    return person


def desk_token(session: Session, person: Person, *, now: datetime) -> Token:
    """The token under which a person's letters about no particular game are answered."""
    found = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose) == Purpose.DESK)
    return session.exec(found).first() or new_token(session, Purpose.DESK, now=now, person=person)


def stop_token(session: Session, person: Person, *, now: datetime) -> Token:
    """The token with which a mail program stops a person's notices."""
    found = session.exec(_STOP_TOKEN, params={"person": person.id}).first()
    return found or new_token(session, Purpose.STOP, now=now, person=person)


def stop_notices(session: Session, person: Person) -> None:
    """No more letters about talk, no reminders, no receipts; those that it is one's turn still come."""
    person.talk_letters = person.reminders = person.receipts = False
    session.add(person)


def stop_by_token(session: Session, number: int | None, *, now: datetime) -> Person:
    """Stop the notices of the person whom the token names, which works again and again. Raises PeopleError."""
    person = session.get_one(Person, live_token(session, number, Purpose.STOP, now=now).person_id)
    stop_notices(session, person)
    return person


def request_test_letter(session: Session, person: Person, *, now: datetime) -> None:
    """Write a letter that asks for nothing, to see whether letters arrive. Raises PeopleError."""
    if _written(session, person, "test", now - timedelta(hours=1)) >= TESTS_PER_HOUR:
        sentence = _("You had {count} test letters within an hour. Please wait a little.")
        raise PeopleError(sentence.format(count=TESTS_PER_HOUR))
    to, reply = to_person(session, person), desk_token(session, person, now=now).id
    number = _written(session, person, "test")
    write_letter(session, "test", to, f"test:u{person.id}:{number}", now=now, reply_token=reply, at=now)


def write_again(session: Session, person: Person, *, now: datetime) -> None:
    """Write to a person's address again, beginning with a test letter; one more hard bounce ends it."""
    request_test_letter(session, person, now=now)
    mail = mail_of(session, person)
    if mail is not None:
        suppressions.lift(session, mail, score=suppressions.ON_PROBATION)


def ask_to_sign_in(session: Session, who: str, *, now: datetime) -> None:
    """Let the worker write the letter that `request_sign_in` writes: nothing is looked up here."""
    session.add(LetterRequest(kind=RequestKind.SIGN_IN, mail=who, created_at=now))


def request_sign_in(session: Session, who: str, *, now: datetime) -> None:
    """Mail a sign-in link to the person with this address or handle; nothing tells whether there is one."""
    person = person_at(session, who) if "@" in who.strip("@") else person_called(session, who)
    if person is None or _written(session, person, "sign_in", now - timedelta(hours=1)) >= SIGN_INS_PER_HOUR:
        return
    token = new_token(session, Purpose.SIGN_IN, now=now, person=person, lasts=SIGN_IN_WITHIN)
    write_letter(
        session,
        "sign_in",
        to_person(session, person),
        f"sign-in:{token.id}",
        now=now,
        reply_token=desk_token(session, person, now=now).id,
        link_token=token.id,
        until=token.expires_at,
    )


def _written(session: Session, person: Person, kind: str, since: datetime | None = None) -> int:
    """How many letters of a kind were written to a person, all or since then."""
    counted = select(func.count()).select_from(Letter)
    counted = counted.where(col(Letter.person_id) == person.id, col(Letter.kind) == kind)
    return session.exec(counted.where(col(Letter.created_at) > since) if since else counted).one()


def sign_in(session: Session, number: int | None, *, now: datetime) -> Person:
    """The person whom a sign-in link names; the link works once. Raises PeopleError."""
    token = live_token(session, number, Purpose.SIGN_IN, now=now)
    token.used_at = now
    session.add(token)
    person = session.get_one(Person, token.person_id)
    person.seen_at = now
    session.add(person)
    mail = mail_of(session, person)
    if mail is not None:
        suppressions.lift(session, mail)  # the letter with the link arrived
    return person


def change_settings(session: Session, person: Person, *, language: str, zone: str) -> None:
    """Set a person's language and time zone; raises PeopleError, changing nothing."""
    if language not in LANGUAGES:
        known = listing(list(LANGUAGES.values()), _("or"))
        raise PeopleError(_("That language is not spoken here. You can choose {known}.").format(known=known))
    if zone not in zones():
        raise PeopleError(_("There is no time zone “{zone}”; one is Europe/Rome.").format(zone=zone[:40]))
    person.language, person.zone = language, zone
    session.add(person)


def confirm_moves(session: Session, person: Person, wanted: bool) -> None:
    """Whether a move sent from a page is shown once more before it is played."""
    person.confirm_moves = wanted
    session.add(person)


def keep_time(session: Session, person: Person, *, hours: str, reminder_lead: int, refuses_time_wins: bool) -> None:
    """Set the hours that do not count (as calendars.py writes them), when to be reminded, and whether to win on time.

    All three hold from the next turns on: a turn that runs keeps the clock it began with. Raises PeopleError.
    """
    if not 0 <= reminder_lead <= LONGEST_LEAD:
        raise PeopleError(_("You can be reminded at most a week before the deadline."))
    person.hours, person.reminder_lead, person.refuses_time_wins = hours, reminder_lead, refuses_time_wins
    session.add(person)
