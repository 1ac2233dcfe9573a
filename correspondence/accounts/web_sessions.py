"""Web sessions: one row for each browser that is signed in, so that signing out ends it here and not only there.

The browser's cookie holds a random key; the row holds its hash, so that a copy of the database signs nobody in.
No address of a visitor is kept.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, update
from sqlmodel import Session, col, select

from correspondence.models import Person, Purpose, Token, WebSession

IDLE = timedelta(days=90)
"""How long a browser stays signed in that is not used."""

NOTED_EVERY = timedelta(hours=1)
"""How exactly it is known when a browser was used last."""

LONGEST_NAME = 40
"""The most characters of the name of a browser or a system."""

_KEYED = (
    select(WebSession, Person)
    .join(Person, col(Person.id) == col(WebSession.person_id))
    .where(col(WebSession.digest) == bindparam("digest"))
)


@dataclass(frozen=True, slots=True)
class Place:
    """A browser in which somebody is signed in, as the list of them shows it."""

    number: int
    browser: str
    system: str
    seen_at: datetime
    is_this: bool


def begin(session: Session, person: Person, browser: str = "", system: str = "", *, now: datetime) -> str:
    """Sign the person in with a browser on a system; the key for its cookie, which is told only here."""
    key = secrets.token_urlsafe(24)
    row = WebSession(person_id=person.id, digest=_digest(key), created_at=now, seen_at=now)
    row.browser, row.system = browser[:LONGEST_NAME], system[:LONGEST_NAME]
    session.add(row)
    session.flush()
    return key


def find(session: Session, key: str, *, now: datetime) -> tuple[WebSession, Person] | None:
    """The session of this key and who is signed in by it; None where it was ended or not used for too long."""
    found = session.exec(_KEYED, params={"digest": _digest(key)}).first()
    if found is None or found[0].seen_at + IDLE <= now or found[1].departed_at is not None:
        return None
    return found[0], found[1]


def is_to_be_noted(row: WebSession, *, now: datetime) -> bool:
    """Whether it is so long ago that use was noted that it should be noted again."""
    return row.seen_at + NOTED_EVERY <= now


def note_use(session: Session, number: int, *, now: datetime) -> None:
    """Note that the browser is in use; nothing, where its session was ended meanwhile."""
    this = update(WebSession).where(col(WebSession.id) == number, col(WebSession.seen_at) < now)
    session.execute(this.values(seen_at=now))


def listed(session: Session, person_id: int, this: int, *, now: datetime) -> tuple[Place, ...]:
    """Where a person is signed in: `this` browser first, then those used last."""
    mine = select(WebSession).where(col(WebSession.person_id) == person_id, col(WebSession.seen_at) > now - IDLE)
    found = session.exec(mine.order_by(col(WebSession.seen_at).desc(), col(WebSession.id).desc()))
    places = [Place(row.id, row.browser, row.system, row.seen_at, row.id == this) for row in found]
    return tuple(sorted(places, key=lambda place: not place.is_this))


def end_by_key(session: Session, key: str) -> None:
    """End the session of this key, so that no copy of the cookie signs anybody in."""
    session.execute(delete(WebSession).where(col(WebSession.digest) == _digest(key)))


def end(session: Session, person_id: int, number: int) -> None:
    """End one session of this person; nothing, where it is another's or was ended already."""
    session.execute(delete(WebSession).where(col(WebSession.id) == number, col(WebSession.person_id) == person_id))


def end_all(session: Session, person_id: int, *, now: datetime) -> None:
    """End every session of this person; sign-in links that were not used yet work no longer either."""
    session.execute(delete(WebSession).where(col(WebSession.person_id) == person_id))
    links = update(Token).where(col(Token.person_id) == person_id, col(Token.purpose) == Purpose.SIGN_IN)
    session.execute(links.where(col(Token.used_at).is_(None)).values(used_at=now))


def prune(session: Session, most: int, *, now: datetime) -> int:
    """Drop so many rows of browsers that were not used for too long; returns how many."""
    old = select(WebSession).where(col(WebSession.seen_at) <= now - IDLE).order_by(col(WebSession.seen_at))
    rows = list(session.exec(old.limit(most)))
    for row in rows:
        session.delete(row)
    return len(rows)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
