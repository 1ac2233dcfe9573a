"""Rate limit of sending per recipient domain, stored in the database for all workers.

MAIL_PACE sets the rate per domain; without a limit, a domain rests only after it asked for that.

Each domain has a token bucket (generic cell rate algorithm, stored as one timestamp), two slots for simultaneous SMTP
connections, and a pause after it answered 421. Letters that somebody waits for at the screen need no slot, ignore the
pause, and have a small reserve beyond the bucket, so that no queue delays them. Using the reserve delays the other
letters, so a domain gets no more letters in total. A delayed letter gets its own retry time, so that a long queue for
one domain is read once and delays no other domain.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from correspondence.models import MailDomain

BURST = 100
"""Maximum letters to one domain in a burst."""

RESERVE = 20
"""Extra burst to one domain, reserved for letters that somebody is waiting for."""

SEND_INTERVAL = timedelta(seconds=0.5)
"""Interval in which the bucket refills by one letter, unless MAIL_PACE is set; 0: no limit."""

BACKOFF = timedelta(minutes=5)
"""The pause of all letters to a domain after it answered 421."""

BUSY_WAIT = timedelta(seconds=2)
"""The delay of a letter if both slots are taken."""

MAX_DELAY = timedelta(hours=1)
"""Maximum delay by the rate alone, because earlier letters may be cancelled."""


def admit(
    session: Session, domain_name: str, now: datetime, until: datetime, interval: timedelta = SEND_INTERVAL
) -> datetime | None:
    """Admit a letter and reserve a slot until `until`; return None, or when to retry.

    Without a limit (`interval` is zero), only a pause delays a letter, and no slot is reserved.
    """
    domain = locked_domain(session, domain_name, now)
    opens_at = max(domain.full_at - (BURST - 1) * interval, domain.rests_until) if interval else domain.rests_until
    if opens_at > now:
        domain.queued_until = max(opens_at, min(domain.queued_until, now + MAX_DELAY)) + interval
        session.add(domain)
        return domain.queued_until
    if not interval:
        return None
    if domain.first_until > now and domain.second_until > now:
        return now + BUSY_WAIT
    if domain.first_until <= now:
        domain.first_until = until
    else:
        domain.second_until = until
    domain.full_at = max(domain.full_at, now) + interval
    session.add(domain)
    return None


def admit_awaited(
    session: Session, domain_name: str, now: datetime, interval: timedelta = SEND_INTERVAL
) -> datetime | None:
    """Admit a letter that somebody waits for; return None, or when to retry."""
    if not interval:
        return None
    domain = locked_domain(session, domain_name, now)
    opens_at = domain.full_at - (BURST + RESERVE - 1) * interval
    if opens_at > now:
        return opens_at
    domain.full_at = max(domain.full_at, now) + interval
    session.add(domain)
    return None


def release(session: Session, domain_name: str, held_until: datetime, now: datetime) -> None:
    """Free the slot that was reserved until `held_until`."""
    hold(session, domain_name, held_until, now, now)


def hold(session: Session, domain_name: str, held_until: datetime, until: datetime, now: datetime) -> None:
    """Change the end of the slot that was reserved until `held_until`."""
    domain = locked_domain(session, domain_name, now)
    if domain.first_until == held_until:
        domain.first_until = until
    elif domain.second_until == held_until:
        domain.second_until = until
    session.add(domain)


def back_off(session: Session, domain_name: str, now: datetime) -> None:
    """Pause sending to a domain that answered 421."""
    domain = locked_domain(session, domain_name, now)
    domain.rests_until = max(domain.rests_until, now + BACKOFF)
    session.add(domain)


def locked_domain(session: Session, domain_name: str, now: datetime) -> MailDomain:
    """Return the row of a domain, locked until the transaction ends; add it if it is new."""
    query = select(MailDomain).where(col(MailDomain.name) == domain_name).with_for_update()
    row = session.exec(query).first()
    if row is not None:
        return row
    times = {"full_at": now, "rests_until": now, "queued_until": now, "first_until": now, "second_until": now}
    try:
        with session.begin_nested():
            session.add(MailDomain.model_validate({"name": domain_name, **times}))
            session.flush()
    except IntegrityError:
        pass  # another worker added it first
    return session.exec(query).one()
