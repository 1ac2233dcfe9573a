"""Web sessions: one row per signed-in browser, so that signing out works on the server too.

The cookie holds a random key and the row its hash, so that a copy of the database gives no access. IP addresses are not
stored.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, update
from sqlalchemy import select as core_select
from sqlmodel import Session, col, select

from correspondence.accounts.accounts import PeopleError
from correspondence.accounts.person_rows import PERSON_COLUMNS
from correspondence.core import db
from correspondence.core.public_numbers import public_numbers
from correspondence.models import Person, WebSession
from engines.wording import _

IDLE = timedelta(days=90)
"""Time for which an unused browser stays signed in."""

NOTED_EVERY = timedelta(hours=1)
"""Minimum time between two updates of `seen_at`."""

RECENT = timedelta(hours=1)
"""Time after signing in within which a browser may give others access to the account."""

LONGEST_NAME = 40
"""Maximum length of the name of a browser or operating system, in characters."""

_BY_DIGEST: Any = (
    core_select(
        *PERSON_COLUMNS,
        *(col(WebSession.id).label("session_id"), col(WebSession.seen_at).label("used_at")),
    )
    .join_from(WebSession, Person, col(Person.id) == col(WebSession.person_id))
    .where(col(WebSession.digest) == bindparam("digest"))
)

_IDLE = (
    select(WebSession.id)
    .where(col(WebSession.seen_at) <= bindparam("before"))
    .order_by(col(WebSession.seen_at))
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A signed-in browser in the list of sessions; `is_current` marks the current one."""

    number: int
    browser: str
    system: str
    seen_at: datetime
    is_current: bool


def begin(session: Session, person: Person, browser: str = "", system: str = "", *, now: datetime) -> str:
    """Start a session and return the key for the cookie, which is not stored anywhere else."""
    key = secrets.token_urlsafe(24)
    row = WebSession(person_id=person.id, digest=_digest(key), created_at=now, seen_at=now)
    row.browser, row.system = browser[:LONGEST_NAME], system[:LONGEST_NAME]
    session.add(row)
    session.flush()
    return key


def find(session: Session, key: str, *, now: datetime) -> Row[Any] | None:
    """Return a session and its person as one row of plain values, or None.

    The row holds `PERSON_COLUMNS`, `session_id`, and `used_at`, the time of its last recorded use. None if the session
    has ended or was idle for too long, or the person has left.
    """
    row = db.connection(session).execute(_BY_DIGEST, {"digest": _digest(key)}).first()
    if row is None or row.used_at + IDLE <= now or row.departed_at is not None:
        return None
    return row


def is_recent(session: Session, session_id: int, *, now: datetime) -> bool:
    """Whether this session began within `RECENT`, which shows that its user can read their mail."""
    row = session.get(WebSession, session_id)
    return row is not None and row.created_at + RECENT > now


def require_recent(session: Session, session_id: int, *, now: datetime) -> None:
    """Raise PeopleError if the browser signed in too long ago to grant others access."""
    if not is_recent(session, session_id, now=now):
        raise PeopleError(_("You signed in some time ago. Please sign in, then try again."))


def needs_note(used_at: datetime, *, now: datetime) -> bool:
    """Whether the last recorded use is so old that it should be updated."""
    return used_at + NOTED_EVERY <= now


def note_use(session: Session, session_id: int, *, now: datetime) -> None:
    """Update the time of the session's last use; does nothing if it has ended."""
    statement = update(WebSession).where(col(WebSession.id) == session_id, col(WebSession.seen_at) < now)
    session.execute(statement.values(seen_at=now))


def list_sessions(session: Session, person_id: int, this_id: int, *, now: datetime) -> tuple[BrowserSession, ...]:
    """Return the sessions of a person: `this_id` first, then the most recently used."""
    own = select(WebSession).where(col(WebSession.person_id) == person_id, col(WebSession.seen_at) > now - IDLE)
    rows = session.exec(own.order_by(col(WebSession.seen_at).desc(), col(WebSession.id).desc())).all()
    numbers = _public_numbers(session, person_id)
    sessions = [
        BrowserSession(numbers[row.id], row.browser, row.system, row.seen_at, row.id == this_id) for row in rows
    ]
    return tuple(sorted(sessions, key=lambda item: not item.is_current))


def _public_numbers(session: Session, person_id: int) -> dict[int, int]:
    """Return the public number of each session of a person, by row id.

    Row ids are not shown, because they would reveal how many people sign in.
    """
    rows = session.exec(select(WebSession).where(col(WebSession.person_id) == person_id).order_by(col(WebSession.id)))
    contents = {row.id: f"{row.created_at.isoformat()} {row.browser} {row.system}" for row in rows}
    return dict(zip(contents, public_numbers(tuple(contents.values())), strict=True))


def began_at(session: Session, session_id: int) -> datetime | None:
    """Return when this browser signed in; None if the session has ended."""
    row = session.get(WebSession, session_id)
    return row.created_at if row is not None else None


def end_by_key(session: Session, key: str) -> None:
    """End the session with this key, so that a copy of the cookie no longer works."""
    session.execute(delete(WebSession).where(col(WebSession.digest) == _digest(key)))


def end(session: Session, person_id: int, number: int) -> int | None:
    """End the session with this public number and return its row id; None if there is none."""
    numbers = _public_numbers(session, person_id)
    ended = next((row for row, public in numbers.items() if public == number), None)
    session.execute(delete(WebSession).where(col(WebSession.id) == ended))
    return ended


def end_all(session: Session, person_id: int) -> None:
    """End all sessions of this person; other access stays (access.py)."""
    session.execute(delete(WebSession).where(col(WebSession.person_id) == person_id))


def prune(session: Session, most: int, *, now: datetime) -> int:
    """Delete up to `most` idle sessions; return their number."""
    numbers = [number for (number,) in db.rows(session, _IDLE, before=now - IDLE, most=most)]
    if numbers:
        session.execute(delete(WebSession).where(col(WebSession.id).in_(numbers)))
    return len(numbers)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
