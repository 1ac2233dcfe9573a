"""Refusals that are about us: the domain that refused rests, and where several do, no letter leaves until one is accepted.

Such a refusal says nothing about the letter, so no letter fails by it. One domain rests for hours. Where several domains
refused us and none has accepted a letter since, our own mail server or our good name is the reason: all letters wait,
and one each minute is tried, until one is accepted. What was made to wait then leaves at once.

The state is shared by all workers. It stands in the rows of domains; the row RELAY is that of our own mail server. Locks
are taken in one order: RELAY, letter, domain.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, or_, select, update

from correspondence.core.tokens import masked, without_addresses
from correspondence.mime.bounces import blames_us
from correspondence.models import Letter, LetterState, MailDomain
from correspondence.models.mail import LETTER_IS_OPEN
from correspondence.outbound import throttle

log = logging.getLogger(__name__)

RELAY = "*"
"""The name of the row of our own mail server."""

REST = timedelta(hours=2)
"""How long a domain rests that refused us, while others accept letters."""

TRIAL_EVERY = timedelta(minutes=1)
"""How often one letter is tried while no letters leave."""

UNREACHABLE_WAIT = timedelta(seconds=5)
"""How often a server that could not be reached is tried: news wake the worker more often."""

REST_WHILE_STOPPED = timedelta(minutes=2)
"""How long a domain rests then: longer than TRIAL_EVERY, so that the next trial goes to another domain."""

SEVERAL = 2
"""No letters leave once so many domains refused us since a letter was last accepted."""

WORDS_LIMIT = 300
"""Most characters of a refusal that are stored."""

_RELAY_STATE = select(MailDomain.refused_at, MailDomain.refusal).where(
    col(MailDomain.name) == RELAY, col(MailDomain.refused_at).is_not(None)
)

_ANY_OPEN = select(Letter.id).where(LETTER_IS_OPEN).limit(1)

_RESTING = (
    select(MailDomain.name, MailDomain.refused_at, MailDomain.refusal)
    .where(col(MailDomain.name) != RELAY, col(MailDomain.refused_at).is_not(None))
    .where(col(MailDomain.rests_until) > bindparam("now"))
    .order_by(col(MailDomain.name))
)


class RefusingServer(NamedTuple):
    """A server or domain that refuses us (`name`), and in which words; `at` is since when RELAY does, or a domain last did."""

    name: str
    at: datetime
    words: str

    @property
    def is_answer(self) -> bool:
        """Whether a server answered so; otherwise it could not be reached."""
        return self.words[:3].isdigit()


def stopped(session: Session) -> RefusingServer | None:
    """Return since when our own mail server takes no letters at all, and why; None while it takes some."""
    found = session.exec(_RELAY_STATE).first()
    return RefusingServer(RELAY, *found) if found else None


def holding_up(session: Session) -> RefusingServer | None:
    """Return the same if letters wait for it; None if nothing does, so that nobody knows whether it is over."""
    state = stopped(session)
    return state if state is not None and session.exec(_ANY_OPEN).first() is not None else None


def resting(session: Session, *, now: datetime) -> list[RefusingServer]:
    """Return the domains that rest because they refused us."""
    return [RefusingServer(*row) for row in session.exec(_RESTING, params={"now": now})]


def may_try(session: Session, now: datetime) -> bool:
    """Whether the next trial is due while no letters leave. Holds RELAY; call it before any other lock."""
    return throttle.locked_domain(session, RELAY, now).rests_until <= now


def note_trial(session: Session, now: datetime) -> None:
    """Let the next trial wait, if no letters leave; a server that could not be reached costs nothing and is tried soon."""
    state = stopped(session)
    if state is not None:
        relay = throttle.locked_domain(session, RELAY, now)
        relay.rests_until = now + (TRIAL_EVERY if state.is_answer else UNREACHABLE_WAIT)
        session.add(relay)


def lock(session: Session, now: datetime) -> None:
    """Hold the state of our mail server until the transaction ends, before a letter or a domain is held."""
    throttle.locked_domain(session, RELAY, now)


def stop(session: Session, words: str, now: datetime) -> None:
    """Note that our own mail server takes no letters, whoever the recipient is."""
    before, relay = stopped(session), throttle.locked_domain(session, RELAY, now)
    relay.refused_at, relay.refusal = relay.refused_at or now, _stored(words)
    session.add(relay)
    state = stopped(session)
    if state is not None and state.is_answer and (before is None or not before.is_answer):
        log.error("no letters leave: %s", without_addresses(words))
    note_trial(session, now)


def refuse(session: Session, name: str, words: str, now: datetime) -> datetime:
    """Let a domain rest because it refused us; returns until when. If several did, no letters leave any more."""
    domain = throttle.locked_domain(session, name, now)
    domain.refused_at, domain.refusal = now, _stored(words)
    session.add(domain)
    refusing = _refusing(session)
    if stopped(session) is None and len(refusing) < SEVERAL:
        return rest(session, name, words, now)
    stop(session, words, now)
    domain.rests_until = now + REST_WHILE_STOPPED
    session.add(domain)
    _shorten_rests(session, refusing, now + REST_WHILE_STOPPED, now)
    return domain.rests_until


def rest(session: Session, name: str, words: str, now: datetime) -> datetime:
    """Let a domain rest that refused us, in the conversation or by a bounce; returns until when."""
    domain = throttle.locked_domain(session, name, now)
    if domain.rests_until < now + REST / 2:
        log.warning("%s refuses our letters, which wait for %s: %s", name, REST, without_addresses(words))
    domain.rests_until = max(domain.rests_until, now + REST)
    domain.refused_at, domain.refusal = now, _stored(words)
    session.add(domain)
    return domain.rests_until


def accept(session: Session, name: str, now: datetime, *, ends_stop: bool) -> None:
    """Note that a domain accepted a letter. If it `ends_stop`, all letters may leave again; RELAY must be held then."""
    state = stopped(session) if ends_stop else None
    refusing = _refusing(session) if state is not None else []
    domain = throttle.locked_domain(session, name, now)
    domain.accepted_at = now
    session.add(domain)
    if state is None:
        return
    if state.is_answer:
        log.info("letters leave again")
    relay = throttle.locked_domain(session, RELAY, now)
    relay.refused_at, relay.refusal, relay.rests_until = None, "", now
    session.add(relay)
    _shorten_rests(session, refusing, now, now)


def accepts_others(session: Session, name: str, letter: Letter, now: datetime) -> bool:
    """Whether this letter alone is refused: it was before, and its domain has accepted another one since."""
    domain = throttle.locked_domain(session, name, now)
    if domain.refused_at is None or domain.accepted_at is None:
        return False
    return blames_us(letter.answer) and domain.accepted_at > domain.refused_at


def why_resting(session: Session, name: str, now: datetime) -> str:
    """Return in which words a domain refused us that rests for it; empty if it does not."""
    domain = session.get(MailDomain, name)
    rests = domain is not None and domain.refused_at is not None and domain.rests_until > now
    return domain.refusal if rests and domain is not None else ""


def _stored(words: str) -> str:
    """The words as they are stored: other members and operators read them too, so they name no address."""
    return without_addresses(masked(" ".join(words.split())))[:WORDS_LIMIT]


def _refusing(session: Session) -> Sequence[str]:
    """The domains that refused us since any domain last accepted a letter."""
    last = session.exec(select(func.max(MailDomain.accepted_at))).one()
    query = select(MailDomain.name).where(col(MailDomain.name) != RELAY, col(MailDomain.refused_at).is_not(None))
    return session.exec(query if last is None else query.where(col(MailDomain.refused_at) >= last)).all()


def _shorten_rests(session: Session, names: Sequence[str], at: datetime, now: datetime) -> None:
    """Let these domains, and letters that wait for them, rest no longer than until `at`."""
    query = select(MailDomain).where(col(MailDomain.name).in_(names)).order_by(col(MailDomain.name)).with_for_update()
    for domain in session.exec(query).all():
        domain.rests_until, domain.queued_until = min(domain.rests_until, at), min(domain.queued_until, at)
        session.add(domain)
    _wake(session, names, at, now)


def _wake(session: Session, names: Sequence[str], at: datetime, now: datetime) -> None:
    """Let letters to these domains be due at `at` if they wait for longer and their reader wants them already."""
    if not names:
        return
    is_there = or_(*(func.lower(Letter.recipient).endswith(f"@{name}", autoescape=True) for name in names))
    is_wanted = or_(col(Letter.wanted_at).is_(None), col(Letter.wanted_at) <= now)
    waiting = select(Letter.id).where(
        col(Letter.state) == LetterState.QUEUED, col(Letter.due_at) > at, col(Letter.answer) != "", is_wanted, is_there
    )
    numbers = session.exec(waiting.with_for_update(skip_locked=True)).all()
    if numbers:
        session.execute(update(Letter).where(col(Letter.id).in_(numbers)).values(due_at=at))
