"""Unsubscribe from letters by the command “stop” or by a link; the link's page can undo it.

Each link has its own token for one person and one topic. It works without signing in, because mail programs call it
(RFC 8058), and it permits nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, bindparam
from sqlmodel import Session, cast, col, func, select

from correspondence.accounts.accounts import PeopleError, has_expired, new_token, payload_of, person_by_address
from correspondence.core import db
from correspondence.models import Person, Purpose, Scope, Token
from correspondence.outbound import suppressions
from correspondence.outbound.kinds import LetterKind, is_on, set_switch
from correspondence.outbound.stops import NOTICES, STOPS, StopTopic, address_payload
from engines.wording import _

TOKENS_OF_PERSON = (
    select(func.aggregate_strings(cast(Token.id, String) + " " + col(Token.payload), "\n"))
    .where(col(Token.person_id) == col(Person.id), col(Token.purpose) == Purpose.STOP)
    .correlate(Person)
    .scalar_subquery()
)
"""Column with the ids and payloads of a person's stop tokens, one per line."""

_TOKENS = select(Person.id, TOKENS_OF_PERSON).where(col(Person.id).in_(bindparam("persons", expanding=True)))

REASON = "stop"
"""Suppression reason of an address whose owner refused notices."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """What an unsubscribe link stops, for whom, and whether it is stopped.

    A non-member has no handle.
    """

    stop: StopTopic
    handle: str
    is_stopped: bool


def stop_token(session: Session, person: Person, kind: LetterKind, *, now: datetime) -> int:
    """Return the id of the one-click stop token for a kind of letter; add it if needed."""
    numbers: dict[str, int] | None = db.asked(session).get((Purpose.STOP, person.id))
    if numbers is None:
        numbers = _by_kind(session, [person.id])[person.id]
    if kind.stops not in numbers:
        numbers[kind.stops] = new_token(session, Purpose.STOP, now=now, person=person, stop=kind.stops).id
    return numbers[kind.stops]


def ask_ahead(session: Session, person_ids: Collection[int]) -> None:
    """Prefetch the stop tokens of several persons into a `db.asking_once` block."""
    for number, numbers in _by_kind(session, person_ids).items():
        db.asked(session)[Purpose.STOP, number] = numbers


def _by_kind(session: Session, person_ids: Collection[int]) -> dict[int, dict[str, int]]:
    """Return the ids of the stop tokens by topic, for each of these persons."""
    found = db.rows(session, _TOKENS, persons=list(person_ids))
    return {number: by_kind(tokens) for number, tokens in found}


def by_kind(tokens: str | None) -> dict[str, int]:
    """Parse the column `TOKENS_OF_PERSON` into token ids by topic."""
    numbers: dict[str, int] = {}
    for number, _blank, payload in (line.partition(" ") for line in (tokens or "").splitlines()):
        numbers.setdefault(json.loads(payload).get("stop", ""), int(number))
    return numbers


def address_token(session: Session, mail: str, *, now: datetime) -> Token:
    """Add a one-click stop token for the address of a non-member."""
    return new_token(session, Purpose.STOP, now=now, **address_payload(mail))


def stop_letters(session: Session, person: Person, stop: StopTopic) -> None:
    """Switch off the letters of this topic."""
    _switch(session, person, stop.switches, False)


def look(session: Session, token_id: int | None, *, now: datetime) -> Stopped:
    """Return what a token stops and whether it is stopped, changing nothing.

    Raises PeopleError.
    """
    token = session.get(Token, token_id) if token_id is not None else None
    return _state(session, _live(token, now))


def stop_by_token(session: Session, token_id: int | None, *, now: datetime) -> Stopped:
    """Stop the token's topic and store what was switched on, for undo; the token stays valid.

    Raises PeopleError.
    """
    token = _locked(session, token_id, now)
    person, stop = _whose(session, token)
    if person is None:
        suppressions.suppress(session, payload_of(token)["mail"], Scope.NOTICES, REASON, now=now)
    elif was_on := [name for name in stop.switches if is_on(person, name)]:
        _switch(session, person, stop.switches, False)
        token.payload = json.dumps({**payload_of(token), "was_on": was_on})
        session.add(token)
    return _state(session, token)


def undo_by_token(session: Session, token_id: int | None, *, now: datetime) -> Stopped:
    """Switch on what the token's last use switched off. Raises PeopleError."""
    token = _locked(session, token_id, now)
    person, stop = _whose(session, token)
    if person is None:
        suppressions.lift(session, payload_of(token)["mail"], Scope.NOTICES)
    else:
        _switch(session, person, payload_of(token).get("was_on", stop.switches), True)
    return _state(session, token)


def _locked(session: Session, token_id: int | None, now: datetime) -> Token:
    token = session.get(Token, token_id, with_for_update=True) if token_id is not None else None
    return _live(token, now)


def _live(token: Token | None, now: datetime) -> Token:
    if token is None or token.purpose != Purpose.STOP or token.used_at is not None or has_expired(token, now):
        raise PeopleError(_("This link or answer no longer works. Please ask for a new one."))
    return token


def _whose(session: Session, token: Token) -> tuple[Person | None, StopTopic]:
    """Return the person of a token and its topic.

    A non-member who has joined since then gets their own settings.
    """
    stop = STOPS.get(payload_of(token).get("stop", ""), NOTICES)  # older tokens name no topic
    if token.person_id is not None:
        return session.get_one(Person, token.person_id), stop
    person = person_by_address(session, payload_of(token)["mail"])
    return person, stop if person is None else STOPS["challenge_letters"]


def _state(session: Session, token: Token) -> Stopped:
    person, stop = _whose(session, token)
    if person is None:
        return Stopped(stop, "", suppressions.wants_no_notices(session, payload_of(token)["mail"]))
    return Stopped(stop, person.handle, not any(is_on(person, name) for name in stop.switches))


def _switch(session: Session, person: Person, names: Iterable[str], is_wanted: bool) -> None:
    for name in names:
        set_switch(person, name, is_wanted)
    session.add(person)
