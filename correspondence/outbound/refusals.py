"""Rejections of our server: the rejecting domain rests, or all sending stops.

Such a rejection is not about the letter, so no letter fails because of it. One domain rests for hours. If several
domains have rejected our server and none has accepted a letter since, the cause is our own mail server or our
reputation. Then all letters wait, and one is tried each minute, until one is accepted. After that, all delayed letters
are sent at once.

All workers share this state, in the rows of domains; the row RELAY is that of our own mail server. Locks are taken in a
fixed order: RELAY, letter, domain.
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
"""The row name of our own mail server."""

REST = timedelta(hours=2)
"""How long a domain rests after rejecting our server, while others accept letters."""

TRIAL_EVERY = timedelta(minutes=1)
"""Interval between trial letters while sending is stopped."""

UNREACHABLE_WAIT = timedelta(seconds=5)
"""Interval between connection attempts to an unreachable server; new letters shorten it."""

REST_WHILE_STOPPED = timedelta(minutes=2)
"""Rest of a domain while sending is stopped; over TRIAL_EVERY, so that trials alternate."""

SEVERAL = 2
"""Number of rejecting domains since the last accepted letter that stops all sending."""

WORDS_LIMIT = 300
"""Maximum length of a stored rejection, in characters."""

IS_STOPPED = select(MailDomain.refused_at, MailDomain.refusal).where(
    col(MailDomain.name) == RELAY, col(MailDomain.refused_at).is_not(None)
)
"""When and why our own mail server stopped accepting letters; no row if it accepts them."""

_ANY_OPEN = select(Letter.id).where(LETTER_IS_OPEN).limit(1)

_RESTING = (
    select(MailDomain.name, MailDomain.refused_at, MailDomain.refusal)
    .where(col(MailDomain.name) != RELAY, col(MailDomain.refused_at).is_not(None))
    .where(col(MailDomain.rests_until) > bindparam("now"))
    .order_by(col(MailDomain.name))
)


class RefusingServer(NamedTuple):
    """A rejecting server or domain (`name`), with its answer (`words`).

    `at` is the start of the rejections for RELAY, and the last rejection for a domain.
    """

    name: str
    at: datetime
    words: str

    @property
    def is_answer(self) -> bool:
        """Whether `words` are a server's answer; otherwise it could not be reached."""
        return self.words[:3].isdigit()


def stopped(session: Session) -> RefusingServer | None:
    """Return why and since when our own mail server accepts no letters; None if it does."""
    found = session.exec(IS_STOPPED).first()
    return RefusingServer(RELAY, *found) if found else None


def holding_up(session: Session) -> RefusingServer | None:
    """Return the same as `stopped` if letters wait; None if none wait, as the state is unknown."""
    state = stopped(session)
    return state if state is not None and session.exec(_ANY_OPEN).first() is not None else None


def resting(session: Session, *, now: datetime) -> list[RefusingServer]:
    """Return the domains that rest because they rejected our server."""
    return [RefusingServer(*row) for row in session.exec(_RESTING, params={"now": now})]


def may_try(session: Session, now: datetime) -> bool:
    """Whether a trial is due while sending is stopped; locks RELAY, so call before other locks."""
    return throttle.locked_domain(session, RELAY, now).rests_until <= now


def note_trial(session: Session, now: datetime) -> None:
    """Postpone the next trial if sending is stopped, only briefly after an unreachable server."""
    state = stopped(session)
    if state is not None:
        relay = throttle.locked_domain(session, RELAY, now)
        relay.rests_until = now + (TRIAL_EVERY if state.is_answer else UNREACHABLE_WAIT)
        session.add(relay)


def lock(session: Session, now: datetime) -> None:
    """Lock the state of our mail server for the transaction, before any letter or domain."""
    throttle.locked_domain(session, RELAY, now)


def stop(session: Session, words: str, now: datetime) -> None:
    """Record that our own mail server accepts no letters, for any recipient."""
    before, relay = stopped(session), throttle.locked_domain(session, RELAY, now)
    relay.refused_at, relay.refusal = relay.refused_at or now, _stored(words)
    session.add(relay)
    state = stopped(session)
    if state is not None and state.is_answer and (before is None or not before.is_answer):
        log.error("no letters leave: %s", without_addresses(words))
    note_trial(session, now)


def refuse(session: Session, name: str, words: str, now: datetime) -> datetime:
    """Let a rejecting domain rest, and stop all sending if several rejected; return until when."""
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
    """Let a domain rest that rejected our server in SMTP or by a bounce; return until when."""
    domain = throttle.locked_domain(session, name, now)
    if domain.rests_until < now + REST / 2:
        log.warning("%s refuses our letters, which wait for %s: %s", name, REST, without_addresses(words))
    domain.rests_until = max(domain.rests_until, now + REST)
    domain.refused_at, domain.refusal = now, _stored(words)
    session.add(domain)
    return domain.rests_until


def accept(session: Session, name: str, now: datetime, *, ends_stop: bool) -> None:
    """Record that a domain accepted a letter.

    `ends_stop` also resumes sending to all domains; the caller must then hold the lock on RELAY.
    """
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
    """Whether only this letter is rejected: its domain has accepted another one since."""
    domain = throttle.locked_domain(session, name, now)
    if domain.refused_at is None or domain.accepted_at is None:
        return False
    return blames_us(letter.answer) and domain.accepted_at > domain.refused_at


def why_resting(session: Session, name: str, now: datetime) -> str:
    """Return the rejection by a resting domain; empty if it does not rest."""
    domain = session.get(MailDomain, name)
    rests = domain is not None and domain.refused_at is not None and domain.rests_until > now
    return domain.refusal if rests and domain is not None else ""


def _stored(words: str) -> str:
    """Return the rejection without addresses, because other members and operators read it."""
    return without_addresses(masked(" ".join(words.split())))[:WORDS_LIMIT]


def _refusing(session: Session) -> Sequence[str]:
    """Return the domains that rejected our server since any domain last accepted a letter."""
    last = session.exec(select(func.max(MailDomain.accepted_at))).one()
    query = select(MailDomain.name).where(col(MailDomain.name) != RELAY, col(MailDomain.refused_at).is_not(None))
    return session.exec(query if last is None else query.where(col(MailDomain.refused_at) >= last)).all()


def _shorten_rests(session: Session, names: Sequence[str], at: datetime, now: datetime) -> None:
    """Limit the rest of these domains, and of letters that wait for them, to time `at`."""
    query = select(MailDomain).where(col(MailDomain.name).in_(names)).order_by(col(MailDomain.name)).with_for_update()
    for domain in session.exec(query).all():
        domain.rests_until, domain.queued_until = min(domain.rests_until, at), min(domain.queued_until, at)
        session.add(domain)
    _wake(session, names, at, now)


def _wake(session: Session, names: Sequence[str], at: datetime, now: datetime) -> None:
    """Set the due time of delayed letters to these domains to `at`, unless wanted later."""
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
