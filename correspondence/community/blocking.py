"""Blocking a person, and muting a person or one game's opponents; each can be undone.

Blocked and muted people are never told: their challenges are refused without that reason, and their remarks are stored but
not delivered.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import PeopleError, person_called
from correspondence.matchmaking import challenges
from correspondence.models import Block, Mute, Person, Player, Seek, SeekState
from correspondence.models.locks import hold, hold_person
from engines.wording import _

_Row = TypeVar("_Row", Block, Mute)

MOST_PER_PERSON = 500
"""Maximum people that one person can block, and can mute."""


def other_person(session: Session, person: Person, handle: str) -> Person:
    """Return another person by handle; raise PeopleError if unknown or `person` themselves."""
    other = person_called(session, handle)
    if other.id == person.id:
        raise PeopleError(_("That is you."))
    return other


def block(session: Session, person: Person, handle: str, *, now: datetime) -> Person:
    """Block somebody: no challenges, letters or remarks, and hidden from each other's lists.

    Open challenges between the two are declined or withdrawn; current games go on. Blocking again changes nothing.
    Raises PeopleError.
    """
    other = other_person(session, person, handle)
    hold(session, seeks=session.exec(_between(person, other)).all())
    if _row(session, Block, person, other) is None:
        _check_room(session, Block, person)
        session.add(Block(person_id=person.id, other_id=other.id, since=now))
        session.flush()
        _end_challenges(session, person, other, now)
    return other


def unblock(session: Session, person: Person, handle: str) -> Person:
    """Lift a block; raises PeopleError if there is none."""
    other = other_person(session, person, handle)
    row = _row(session, Block, person, other)
    if row is None:
        raise PeopleError(_("You have not blocked {handle}.").format(handle=other.handle))
    session.delete(row)
    return other


def mute(session: Session, person: Person, handle: str, *, now: datetime) -> Person:
    """Hide somebody's remarks in all games; they are still stored. Raises PeopleError."""
    other = other_person(session, person, handle)
    if _row(session, Mute, person, other) is None:
        _check_room(session, Mute, person)
        session.add(Mute(person_id=person.id, other_id=other.id, since=now))
        session.flush()
    return other


def unmute(session: Session, person: Person, handle: str) -> Person:
    """Unmute somebody and see their stored remarks; raises PeopleError if they are not muted."""
    other = other_person(session, person, handle)
    row = _row(session, Mute, person, other)
    if row is None:
        raise PeopleError(_("You have not muted {handle}.").format(handle=other.handle))
    session.delete(row)
    return other


def mute_match(session: Session, player: Player, *, now: datetime) -> None:
    """Hide the remarks of the other players in this match."""
    player.muted_at = player.muted_at or now
    session.add(player)


def unmute_match(session: Session, player: Player, *, now: datetime) -> None:
    """Show the remarks of the other players in this match again, with those stored meanwhile."""
    player.muted_at = None
    session.add(player)


def blocked_and_muted(session: Session, person_id: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the handles that a person has blocked, and those muted, in alphabetical order."""
    return _handles(session, Block, person_id), _handles(session, Mute, person_id)


def _handles(session: Session, kind: type[Block] | type[Mute], person_id: int) -> tuple[str, ...]:
    query = select(Person.handle).join(kind, col(kind.other_id) == col(Person.id))
    return tuple(session.exec(query.where(col(kind.person_id) == person_id).order_by(col(Person.handle_key))))


def _row(session: Session, kind: type[_Row], person: Person, other: Person) -> _Row | None:
    """Return the row between two people.

    Locks `person` first, so that concurrent requests never write it twice.
    """
    hold_person(session, person)
    query = select(kind).where(col(kind.person_id) == person.id, col(kind.other_id) == other.id)
    return session.exec(query).first()


def _between(person: Person, other: Person) -> Any:
    """Build the query for the open challenges of two people to each other."""
    both = [person.id, other.id]
    query = select(Seek.id).where(col(Seek.person_id).in_(both), col(Seek.opponent_id).in_(both))
    return query.where(col(Seek.state) == SeekState.OPEN)


def _check_room(session: Session, kind: type[Block] | type[Mute], person: Person) -> None:
    query = select(func.count()).select_from(kind).where(col(kind.person_id) == person.id)
    if session.exec(query).one() >= MOST_PER_PERSON:
        raise PeopleError(_("You keep {count} people away, which is the maximum.").format(count=MOST_PER_PERSON))


def _end_challenges(session: Session, person: Person, other: Person, now: datetime) -> None:
    is_open = col(Seek.state) == SeekState.OPEN
    to_me = select(Seek).where(is_open, col(Seek.person_id) == other.id, col(Seek.opponent_id) == person.id)
    for seek in list(session.exec(to_me)):
        challenges.decline(session, person, seek.id, now=now)
    from_me = select(Seek).where(is_open, col(Seek.person_id) == person.id, col(Seek.opponent_id) == other.id)
    for seek in list(session.exec(from_me)):
        challenges.withdraw(session, person, seek.id)
