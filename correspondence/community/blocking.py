"""Keeping others away: block and mute, by person or in one game; every one of them can be taken back.

Who is blocked or muted is never told so: his challenges do not suit, and his words are kept but not passed on.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import PeopleError, person_called
from correspondence.matchmaking import challenges
from correspondence.models import Block, Mute, Person, Player, Seek, SeekState
from engines.wording import _

_Kept = TypeVar("_Kept", Block, Mute)

MOST_KEPT_AWAY = 500
"""How many people one person can block, and how many mute."""


def other_called(session: Session, person: Person, handle: str) -> Person:
    """Another person with this handle; raises PeopleError where there is none, or it is oneself."""
    other = person_called(session, handle)
    if other is None:
        raise PeopleError(_("Nobody here is called “{handle}”.").format(handle=handle.strip()[:40]))
    if other.id == person.id:
        raise PeopleError(_("That is yourself."))
    return other


def block(session: Session, person: Person, handle: str, *, now: datetime) -> Person:
    """Have no more to do with somebody: no challenges either way, not in each other's lists, no words.

    Challenges between the two are answered or taken back; games in play go on. Again changes nothing.
    Raises PeopleError.
    """
    other = other_called(session, person, handle)
    if _row(session, Block, person, other) is None:
        _must_have_room(session, Block, person)
        session.add(Block(person_id=person.id, other_id=other.id, since=now))
        session.flush()
        _end_challenges(session, person, other, now)
    return other


def unblock(session: Session, person: Person, handle: str) -> Person:
    """Take a block back; raises PeopleError where there is none."""
    other = other_called(session, person, handle)
    row = _row(session, Block, person, other)
    if row is None:
        raise PeopleError(_("You have not blocked {handle}.").format(handle=other.handle))
    session.delete(row)
    return other


def mute(session: Session, person: Person, handle: str, *, now: datetime) -> Person:
    """Hear no more of what somebody says, in any game; what he says is kept. Raises PeopleError."""
    other = other_called(session, person, handle)
    if _row(session, Mute, person, other) is None:
        _must_have_room(session, Mute, person)
        session.add(Mute(person_id=person.id, other_id=other.id, since=now))
        session.flush()
    return other


def unmute(session: Session, person: Person, handle: str) -> Person:
    """Hear somebody again, and see what was kept; raises PeopleError where he is not muted."""
    other = other_called(session, person, handle)
    row = _row(session, Mute, person, other)
    if row is None:
        raise PeopleError(_("You have not muted {handle}.").format(handle=other.handle))
    session.delete(row)
    return other


def mute_match(session: Session, player: Player, *, now: datetime) -> None:
    """Hear no more of what the others say in this match."""
    player.muted_at = player.muted_at or now
    session.add(player)


def unmute_match(session: Session, player: Player, *, now: datetime) -> None:
    """Hear the others of this match again, and see what was kept."""
    player.muted_at = None
    session.add(player)


def kept_away(session: Session, person_id: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The handles of everybody whom a person has blocked, and muted, in alphabetical order."""
    return _handles(session, Block, person_id), _handles(session, Mute, person_id)


def _handles(session: Session, kind: type[Block] | type[Mute], person_id: int) -> tuple[str, ...]:
    found = select(Person.handle).join(kind, col(kind.other_id) == col(Person.id))
    return tuple(session.exec(found.where(col(kind.person_id) == person_id).order_by(col(Person.handle_key))))


def _row(session: Session, kind: type[_Kept], person: Person, other: Person) -> _Kept | None:
    """The row between two; whoever changes his own rows waits for his turn, so that none is written twice."""
    session.get_one(Person, person.id, with_for_update={"key_share": True})
    found = select(kind).where(col(kind.person_id) == person.id, col(kind.other_id) == other.id)
    return session.exec(found).first()


def _must_have_room(session: Session, kind: type[Block] | type[Mute], person: Person) -> None:
    counted = select(func.count()).select_from(kind).where(col(kind.person_id) == person.id)
    if session.exec(counted).one() >= MOST_KEPT_AWAY:
        raise PeopleError(_("You keep {count} people away, as many as you can.").format(count=MOST_KEPT_AWAY))


def _end_challenges(session: Session, person: Person, other: Person, now: datetime) -> None:
    is_open = col(Seek.state) == SeekState.OPEN
    to_me = select(Seek).where(is_open, col(Seek.person_id) == other.id, col(Seek.opponent_id) == person.id)
    for seek in list(session.exec(to_me)):
        challenges.decline(session, person, seek.id, now=now)
    from_me = select(Seek).where(is_open, col(Seek.person_id) == person.id, col(Seek.opponent_id) == other.id)
    for seek in list(session.exec(from_me)):
        challenges.withdraw(session, person, seek.id)
