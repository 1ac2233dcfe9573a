"""Rate limit of sending per recipient domain, stored in the database so that all workers share it.

MAIL_PACE says how fast letters may leave to one domain; with no limit, a domain merely rests after it asked for that.

Each domain has a token bucket (generic cell rate algorithm, stored as one timestamp), two slots for simultaneous
SMTP conversations, and a pause after it answered 421. Letters that somebody waits for at the screen need no slot and
no pause, and have a small reserve beyond the bucket, so that no queue delays them. What they take from it delays the
others, so a domain gets no more letters over time. A letter that may not be sent now gets a time of its own to
come back, so that a long queue for one domain is read once and delays no other domain.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from correspondence.models import MailDomain

BURST = 100
"""Most letters to one domain in a burst."""

RESERVE = 20
"""How many letters that somebody waits for may go beyond the burst."""

SEND_INTERVAL = timedelta(seconds=0.5)
"""The bucket refills by one letter in this time, unless MAIL_PACE says otherwise; zero is no limit."""

BACKOFF = timedelta(minutes=5)
"""How long all letters to a domain wait after it answered 421."""

BUSY_WAIT = timedelta(seconds=2)
"""When to look again at a letter for which both slots were taken."""

MAX_DELAY = timedelta(hours=1)
"""The rate alone delays no letter longer than this, because letters before it may be cancelled."""


def admit(
    session: Session, domain_name: str, now: datetime, until: datetime, interval: timedelta = SEND_INTERVAL
) -> datetime | None:
    """Admit one letter to a domain and reserve a slot until `until`, returning None; else return when to try again.

    Without a limit (`interval` is zero) only a rest delays a letter, and no slot is reserved.
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
    """Admit one letter that somebody waits for, returning None; else, the reserve being used up, when to try again."""
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
    """Reserve the slot that was reserved until `held_until` until another time."""
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
    """Return the row of a domain, locked until the transaction ends; adds it if it is new."""
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
        pass  # another worker was quicker
    return session.exec(query).one()
