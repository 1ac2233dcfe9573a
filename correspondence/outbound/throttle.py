"""How fast letters go to one domain, kept in the database so that it holds for all workers together.

Each domain has a bucket of sends (the generic cell rate algorithm: one moment says all), two places for
conversations, and a rest after it asked for time. What may not go now is given a moment of its own to
come back at, so that a long queue for one domain is looked at once and never stands in anybody's way.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from correspondence.models import MailDomain

BURST = 100
"""Letters to one domain that may go at once."""

PACE = timedelta(seconds=0.5)
"""The time after which one more may go."""

REST = timedelta(minutes=5)
"""How long all letters to a domain wait after it answered 421."""

WHEN_BUSY = timedelta(seconds=2)
"""When to look again at a letter for which both places were taken."""

FARTHEST = timedelta(hours=1)
"""No letter is put off farther than this by the pace alone: letters before it may yet be cancelled."""


def admit(session: Session, name: str, now: datetime, until: datetime) -> datetime | None:
    """Let one letter go to a domain, holding a place until then; or say when it should come back."""
    domain = _domain(session, name, now)
    opens = max(domain.full_at - (BURST - 1) * PACE, domain.rests_until)
    if opens > now:
        domain.queued_until = max(opens, min(domain.queued_until, now + FARTHEST)) + PACE
        session.add(domain)
        return domain.queued_until
    if domain.first_until > now and domain.second_until > now:
        return now + WHEN_BUSY
    if domain.first_until <= now:
        domain.first_until = until
    else:
        domain.second_until = until
    domain.full_at = max(domain.full_at, now) + PACE
    session.add(domain)
    return None


def release(session: Session, name: str, held_until: datetime, now: datetime) -> None:
    """Give back the place that was held until then."""
    domain = _domain(session, name, now)
    if domain.first_until == held_until:
        domain.first_until = now
    elif domain.second_until == held_until:
        domain.second_until = now
    session.add(domain)


def rest(session: Session, name: str, now: datetime) -> None:
    """Leave a domain alone for a while that asked for time."""
    domain = _domain(session, name, now)
    domain.rests_until = max(domain.rests_until, now + REST)
    session.add(domain)


def _domain(session: Session, name: str, now: datetime) -> MailDomain:
    """The row of a domain, held until the transaction ends."""
    held = select(MailDomain).where(col(MailDomain.name) == name).with_for_update()
    found = session.exec(held).first()
    if found is not None:
        return found
    fresh = dict.fromkeys(("full_at", "rests_until", "queued_until", "first_until", "second_until"), now)
    try:
        with session.begin_nested():
            session.add(MailDomain(name=name, **fresh))
            session.flush()
    except IntegrityError:
        pass  # another worker was quicker
    return session.exec(held).one()
