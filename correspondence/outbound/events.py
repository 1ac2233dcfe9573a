"""Events for members' programs: stored with their cause, numbered when they become visible.

An event contains only references, so its message is built when a program reads it (queries/events.py). Numbers count
the events of one person, so they reveal nothing about others. The worker assigns them under a lock of the person: a
lower number never appears after a higher one, so a program that knows its last number misses nothing. An event that can
still be recalled gets its number later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, bindparam
from sqlmodel import Session, col, delete, select

from correspondence.core.db import NO_KEY_UPDATE, reading, rows, transaction
from correspondence.models import Event, EventKind, Match, Person
from correspondence.models.events import EVENT_IS_UNNUMBERED

BATCH = 200
"""Maximum number of events per sweep, and per person in a sweep."""

ON_PUBLISHED: list[Callable[[Session, int, Sequence[Event], datetime], None]] = []
"""Functions of features, called with a person's id and newly numbered events, in the same transaction."""

DUE = select(Event.id).where(EVENT_IS_UNNUMBERED, col(Event.due_at) <= bindparam("now"))
"""Query: events that are visible at time `now` and have no number yet."""

_LISTENERS = (
    select(Event.person_id)
    .where(EVENT_IS_UNNUMBERED, col(Event.due_at) <= bindparam("now"))
    .order_by(col(Event.due_at))
    .limit(BATCH)
)


def begin(session: Session, person: Person) -> None:
    """Start storing events for a person, because one of their programs may listen."""
    if person.event_number is None:
        person.event_number = 0
        session.add(person)


def note(
    session: Session,
    persons: Iterable[Person],
    kind: EventKind,
    *,
    now: datetime,
    match: Match | None = None,
    about: int = 0,
    due_at: datetime | None = None,
) -> None:
    """Store an event for those persons whose programs listen; it is visible from `due_at` on."""
    match_id = match.id if match is not None else None
    columns: dict[str, Any] = {
        "kind": kind,
        "match_id": match_id,
        "takebacks": match.takebacks if match is not None else 0,
        "about_id": about,
        "at": now,
        "due_at": due_at or now,
    }
    for person in persons:
        if person.event_number is not None:
            session.add(Event(person_id=person.id, **columns))


def forget(session: Session, kind: EventKind, match_id: int, about: Collection[int]) -> None:
    """Delete events that are not visible yet, so that they leave no gap in the numbers."""
    unheard = delete(Event).where(EVENT_IS_UNNUMBERED, col(Event.match_id) == match_id, col(Event.kind) == kind)
    session.execute(unheard.where(col(Event.about_id).in_(about)))


def publish(engine: Engine, *, now: datetime) -> int:
    """Number the events that are visible now and notify `ON_PUBLISHED`; returns how many."""
    with reading(engine) as session:
        listeners = dict.fromkeys(number for (number,) in rows(session, _LISTENERS, now=now))
    count = 0
    for person_id in listeners:
        with transaction(engine) as session:
            count += _publish(session, person_id, now)
    return count


def _publish(session: Session, person_id: int, now: datetime) -> int:
    person = session.get_one(Person, person_id, with_for_update=NO_KEY_UPDATE, populate_existing=True)
    unnumbered = select(Event).where(EVENT_IS_UNNUMBERED, col(Event.person_id) == person_id, col(Event.due_at) <= now)
    events = session.exec(unnumbered.order_by(col(Event.due_at), col(Event.id)).limit(BATCH)).all()
    for event in events:
        event.number = person.event_number = (person.event_number or 0) + 1
        session.add(event)
    session.add(person)
    for notify in ON_PUBLISHED:
        notify(session, person_id, events, now)
    return len(events)
