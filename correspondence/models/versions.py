"""Page versions for caching: counters that each change increments in its transaction.

`RAISES` maps each table to the versions that a changed row increments. A listener applies it after each flush.
Statements that change rows without the session (`update`, `delete`, `insert`) bypass the listener, so their callers
call `raise_versions`. The counters are written at the end of the transaction, in key order and after all other locks,
which prevents deadlocks.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, event, inspect
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Field, Session

from correspondence.core import db
from correspondence.models.columns import Table, one_of
from correspondence.models.matches import ImportedRecord, Match, Move, Player, SignedEnd, TakenBackMove
from correspondence.models.operations import OperatorAct
from correspondence.models.people import Person
from correspondence.models.ratings import RatingChange
from correspondence.models.relations import Block, Mute
from correspondence.models.talk import Audience, Offer, Plan, Remark
from correspondence.models.time import ClockStop, Outage, Vacation


class PagePart(StrEnum):
    """Parts of a page's version, by the readers to whom a change is visible."""

    MATCH = "match"
    """Everybody who sees the match."""
    PLAYERS = "players"
    """The players of the match."""
    OWN = "own"
    """One player of the match: plan, notes, and whether the talk is muted."""
    SEEN = "seen"
    """One player of the match: what the page has already shown."""
    FACE = "face"
    """Everybody who sees a match of the person: the handle, and whether the person left."""
    HOURS = "hours"
    """The players of the person's matches: zone, hours, absences."""
    READER = "reader"
    """The person, on all pages: whom the person muted or blocked."""
    SERVICE = "service"
    """Everybody, on all pages."""


class PageVersion(Table, table=True):
    """Number of changes of one part. It has no foreign keys, so an update locks nothing else."""

    match_id: int = Field(default=0, primary_key=True, sa_column_kwargs={"autoincrement": False})
    person_id: int = Field(default=0, primary_key=True, sa_column_kwargs={"autoincrement": False})
    part: PagePart = Field(primary_key=True, sa_type=one_of(PagePart))
    number: int = Field(sa_type=BigInteger)


class Version(NamedTuple):
    """Key of a counter; 0 for no match or no person."""

    match_id: int
    person_id: int
    part: PagePart


def of_match(match_id: int, part: PagePart = PagePart.MATCH) -> Version:
    """Return the version of a match for everybody, or for its players."""
    return Version(match_id, 0, part)


def of_person(person_id: int, part: PagePart = PagePart.FACE) -> Version:
    """Return the version of a person."""
    return Version(0, person_id, part)


OF_SERVICE = Version(0, 0, PagePart.SERVICE)

_NOWHERE = {"indexed_at", "remind_at", "token_id", "language", "last_message_id", "turn_ply", "seen_at"}
"""Columns that no game page shows."""

_PLAYER_PARTS = {
    **dict.fromkeys(("seen_ply", "shown_ply", "shown_remark"), PagePart.SEEN),
    "muted_at": PagePart.OWN,
    **dict.fromkeys(("off_hours", "plans_opened_at", "extensions"), PagePart.PLAYERS),
}
"""Readers of each `Player` column; all other columns are visible to everybody."""

_FACE, _HOURS = {"handle", "departed_at", "is_program"}, {"zone", "off_hours"}

Raised = Iterable[Version]


def _player(row: Player, changed: Collection[str]) -> Raised:
    for part in {_PLAYER_PARTS.get(name, PagePart.MATCH) for name in changed}:
        is_own = part in (PagePart.OWN, PagePart.SEEN)
        yield Version(row.match_id, row.person_id if is_own else 0, part)


def _person(row: Person, changed: Collection[str]) -> Raised:
    parts = {PagePart.FACE: _FACE, PagePart.HOURS: _HOURS}
    return [of_person(row.id, part) for part, names in parts.items() if names & set(changed)]


def _remark(row: Remark, changed: Collection[str]) -> Raised:
    """Raise only the writer's version for a new or recalled remark.

    A public counter would reveal that a remark was recalled. `queries/page_versions.py` counts the existing remarks
    instead.
    """
    yield Version(row.match_id, row.person_id, PagePart.OWN)
    is_changed = len(changed) < len(Remark.model_fields)
    if is_changed and row.opens_at is None and row.audience != Audience.ME:
        yield of_match(row.match_id, PagePart.MATCH if row.audience == Audience.EVERYONE else PagePart.PLAYERS)


def _outage(_row: Outage, changed: Collection[str]) -> Raised:
    return [OF_SERVICE] if {"begins_at", "ends_at"} & set(changed) else []


def _public(row: Any, _changed: Collection[str]) -> Raised:
    return [of_match(row.match_id)] if row.match_id is not None else []


def _of_reader(row: Mute | Block, _changed: Collection[str]) -> Raised:
    return [of_person(row.person_id, PagePart.READER)]


RAISES: dict[type[Table], Callable[[Any, Collection[str]], Raised]] = {
    Match: lambda row, changed: [of_match(row.id)],
    Player: _player,
    **dict.fromkeys((Move, TakenBackMove, ClockStop, SignedEnd, ImportedRecord, RatingChange, OperatorAct), _public),
    Remark: _remark,
    Offer: lambda row, changed: [of_match(row.match_id, PagePart.PLAYERS)],
    Plan: lambda row, changed: [Version(row.match_id, row.person_id, PagePart.OWN)],
    Person: _person,
    Vacation: lambda row, changed: [of_person(row.person_id, PagePart.HOURS)],
    Mute: _of_reader,
    Block: _of_reader,
    Outage: _outage,
}
"""Versions that a row raises, given its changed columns: all, if it is new or deleted. Features add their tables."""

_RAISED = "correspondence_raised"


def begin_epoch(session: Session) -> None:
    """Start the version numbers at a random value, so pages from before a restore are outdated."""
    start = {"number": secrets.randbits(60)}
    statement = db.insert_into(session, PageVersion).values(**OF_SERVICE._asdict(), **start)
    session.execute(statement.on_conflict_do_update(index_elements=list(Version._fields), set_=start))


def raise_versions(session: Session, versions: Iterable[Version]) -> None:
    """Raise these versions when the transaction commits, unless its savepoint is rolled back."""
    transaction = session.get_nested_transaction() or session.get_transaction()
    session.info.setdefault(_RAISED, {}).setdefault(transaction, set()).update(versions)


def _after_flush(session: Session, _context: Any) -> None:
    for rows in (session.new, session.deleted):
        for row in rows:
            if type(row) in RAISES:
                raise_versions(session, RAISES[type(row)](row, type(row).model_fields.keys()))
    for row in session.dirty:
        changed = _changed(row) - _NOWHERE if type(row) in RAISES else None
        if changed:
            raise_versions(session, RAISES[type(row)](row, changed))


def _changed(row: Any) -> set[str]:
    return {name for name, old in inspect(row).committed_state.items() if row.__dict__.get(name) != old}


def _before_commit(session: Session) -> None:
    if session.in_nested_transaction():
        return
    session.flush()
    raised: dict[Any, set[Version]] = session.info.pop(_RAISED, {})
    if versions := sorted(set().union(*raised.values())):
        statement = db.insert_into(session, PageVersion).values(number=1)
        raising = statement.on_conflict_do_update(
            index_elements=list(Version._fields), set_={"number": PageVersion.number + 1}
        )
        db.connection(session).execute(raising, [version._asdict() for version in versions])


def _after_rollback(session: Session) -> None:
    session.info.get(_RAISED, {}).pop(session.get_nested_transaction() or session.get_transaction(), None)


def _after_end(session: Session, ended: SessionTransaction) -> None:
    """Pass the versions of a released savepoint to the enclosing transaction."""
    raised = session.info.get(_RAISED, {})
    if ended.parent is None:
        session.info.pop(_RAISED, None)
    elif ended in raised:
        raised.setdefault(ended.parent, set()).update(raised.pop(ended))


event.listen(Session, "after_flush", _after_flush)
event.listen(Session, "before_commit", _before_commit)
event.listen(Session, "after_rollback", _after_rollback)
event.listen(Session, "after_transaction_end", _after_end)
