"""Browser notifications (Web Push): sent with letters, by the same schedule.

A reason to delay a letter (settings, quiet hours, digests, news seen on a page) delays its notification too. A message
to a push service is empty: it wakes the browser, which fetches the news with its member's session.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine
from sqlmodel import Session, col, delete, func, select, update

from correspondence.core.db import transaction
from correspondence.core.push_key import PushKey
from correspondence.models import Letter, Person, PushSubscription, WebSession
from correspondence.models.locks import hold_person
from correspondence.outbound.kinds import kind_of
from correspondence.transport import EndpointError, PushError, PushPost, check_endpoint
from engines.refusal import Refusal
from engines.wording import _

log = logging.getLogger(__name__)

MOST = 10
"""Maximum number of browsers that show notifications to a person; the oldest is replaced."""

RETRY = timedelta(minutes=15)
"""The wait after a failure."""

MOST_TRIES = 5
"""Consecutive failures after which a notification is given up."""

LIFETIME = timedelta(days=1)
"""How long a push service stores a message for an offline browser."""

_GONE = (404, 410)


class PushRefusal(Refusal):
    """Raised if a browser cannot be subscribed to notifications; str() is a sentence."""


def subscribe(session: Session, person: Person, web_session_id: int, endpoint: str, *, now: datetime) -> None:
    """Subscribe a browser to a person's notifications while signed in. Raises PushRefusal."""
    try:
        check_endpoint(endpoint)
    except EndpointError as error:
        raise PushRefusal(_("Your browser gave no usable address for notifications.")) from error
    session.execute(delete(PushSubscription).where(col(PushSubscription.endpoint) == endpoint))
    hold_person(session, person)
    digest = session.get_one(WebSession, web_session_id).digest
    session.add(PushSubscription(person_id=person.id, session=digest, endpoint=endpoint, created_at=now))
    session.flush()
    own = select(PushSubscription).where(col(PushSubscription.person_id) == person.id)
    for old in session.exec(own.order_by(col(PushSubscription.id).desc()).offset(MOST).limit(MOST)):
        session.delete(old)


def unsubscribe(session: Session, person_id: int, endpoint: str | None = None) -> None:
    """Unsubscribe one browser of a person, or all."""
    own = delete(PushSubscription).where(col(PushSubscription.person_id) == person_id)
    session.execute(own if endpoint is None else own.where(col(PushSubscription.endpoint) == endpoint))


def count(session: Session, person_id: int) -> int:
    """Count the browsers that show notifications to a person."""
    query = (
        select(func.count())
        .select_from(PushSubscription)
        .join(WebSession, col(WebSession.digest) == col(PushSubscription.session))
    )
    return session.exec(query.where(col(PushSubscription.person_id) == person_id)).one()


def mark_due(session: Session, letter: Letter, *, now: datetime) -> None:
    """Mark the browsers of a letter's reader as due, if letters of this kind are pushed."""
    if letter.person_id is not None and kind_of(letter).switch not in ("", "receipts"):
        own = update(PushSubscription).where(col(PushSubscription.person_id) == letter.person_id)
        session.execute(own.values(due_at=now, tries=0))


class _Claim(NamedTuple):
    number: int
    endpoint: str
    until: datetime
    tries: int


def send_due(engine: Engine, post: PushPost, key: PushKey, *, now: Callable[[], datetime], most: int = 200) -> int:
    """Wake every due browser, one after the other; return how many messages were accepted."""
    taken = 0
    for _one in range(most):
        claimed = _claim(engine, now())
        if claimed is None:
            break
        taken += _send(engine, post, key, claimed, now())
    return taken


def _claim(engine: Engine, now: datetime) -> _Claim | None:
    """Lease the next due browser; browsers whose session has ended are removed."""
    query = select(PushSubscription).where(
        col(PushSubscription.due_at).is_not(None), col(PushSubscription.due_at) <= now
    )
    query = query.order_by(col(PushSubscription.due_at)).limit(1).with_for_update(skip_locked=True)
    with transaction(engine) as session:
        while (row := session.exec(query).first()) is not None:
            signed_in = select(WebSession.id).where(col(WebSession.digest) == row.session)
            if session.exec(signed_in).first() is not None:
                row.due_at, row.tries = now + RETRY, row.tries + 1
                session.add(row)
                session.flush()
                return _Claim(row.id, row.endpoint, row.due_at, row.tries)
            session.delete(row)
            session.flush()
    return None


def _send(engine: Engine, post: PushPost, key: PushKey, claimed: _Claim, now: datetime) -> bool:
    headers = {
        "TTL": str(int(LIFETIME.total_seconds())), "Topic": "games", "Urgency": "normal", "Content-Length": "0",
        "Authorization": key.authorization(claimed.endpoint, now=now),
    }  # fmt: skip
    try:
        status = post.send(claimed.endpoint, headers)
    except EndpointError:
        status = 410
    except PushError:
        status = 503
    _record(engine, claimed, status)
    return 200 <= status < 300


def _record(engine: Engine, claimed: _Claim, status: int) -> None:
    with transaction(engine) as session:
        row = session.get(PushSubscription, claimed.number, with_for_update=True)
        if row is None or row.due_at != claimed.until:  # it became due again meanwhile
            return
        if status in _GONE:
            session.delete(row)
            return
        if 200 <= status < 300:
            row.due_at, row.tries = None, 0
        elif claimed.tries >= MOST_TRIES:
            log.warning("a push service answered %s; the notification is given up", status)
            row.due_at = None
        session.add(row)
