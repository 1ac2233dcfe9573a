"""The outbox: a letter queue in which workers lease, send and record each due letter.

A lease moves the due time of a letter in one short transaction; the transport is called outside any transaction. So a
crash delays a letter but never loses it, and only one of several workers sends it. One gap remains, between the
server's reply 250 and our record of it: a letter that was transferred without an answer is transferred a second time,
with the same Message-ID, and never a third time. An expired lease does not count as an attempt, because a killed worker
has seldom transferred the letter. After MOST_LOST_LEASES expired leases, a letter is dead-lettered and the operator is
notified.

Letters that somebody waits for at the screen (`LetterKind.is_awaited`) precede all others. A separate sweep sends them
too, so that they do not wait for a slow server.

A sweep sends several letters in parallel, up to the limit of its transport. At most CONVERSATIONS of them go to one
domain, so a slow domain does not delay letters to others.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Engine, bindparam, func
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from correspondence.core import counting
from correspondence.core.config import Settings
from correspondence.core.db import reading, transaction
from correspondence.core.i18n import in_language
from correspondence.core.log_format import logging_about
from correspondence.core.tokens import masked
from correspondence.mime.bounces import blames_us, read_answer
from correspondence.models import Letter, LetterState, Person
from correspondence.models.mail import LETTER_IS_OPEN
from correspondence.outbound import (
    compose,
    dkim_signing,
    pause,
    pushes,
    recovery_codes,
    refusals,
    suppressions,
    throttle,
)
from correspondence.outbound.kinds import kind_of, kinds_that
from correspondence.outbound.leases import LEASE, Lease
from correspondence.transport import Post, PostError
from engines.wording import _

log = logging.getLogger(__name__)

RETRIES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))
"""The waits after the first failures; the last one is used for all later ones."""

JITTER = 0.2
"""Random variation of a wait, as a fraction, so that retries do not all happen at once."""

PATIENCE = timedelta(days=5)
"""Minimum age at which a letter is given up (RFC 5321 4.5.4.1), after all RETRIES."""

MOST_LOST_LEASES = 10
"""Number of expired leases after which a letter is dead-lettered, since it crashes workers."""

UNCERTAIN_WAIT = timedelta(minutes=10)
"""Minimum wait before a letter that may have arrived is sent a second time."""

RELAY_WAIT = timedelta(minutes=1)
"""The wait if our mail server is unreachable, which does not count as an attempt."""

CONVERSATIONS = 2
"""Maximum number of letters that one sweep sends to one domain at the same time."""

ANSWER_LIMIT = 500
"""Maximum length of a stored server answer, in characters."""

_WAITING = (LetterState.QUEUED, LetterState.UNCERTAIN)

DUE = select(Letter).where(LETTER_IS_OPEN, col(Letter.due_at) <= bindparam("now"))
"""Query: letters that are due at time `now`."""

AWAITED_DUE = DUE.where(col(Letter.kind).in_(kinds_that(lambda kind: kind.is_awaited)))
"""Due letters that somebody waits for at the screen."""

_FIRST, _FIRST_AWAITED = (
    due.order_by(col(Letter.due_at), col(Letter.id)).limit(1).with_for_update(skip_locked=True)
    for due in (DUE, AWAITED_DUE)
)

StillWanted = Callable[[Session, Letter], bool]
"""Callable just before sending: whether a letter is still wanted."""


@dataclass(slots=True)
class _Sweep:
    engine: Engine
    post: Post
    settings: Settings
    now: Callable[[], datetime]
    still_wanted: StillWanted
    rng: random.Random
    is_stopping: Callable[[], bool]
    is_awaited_only: bool = False
    sent: int = 0
    is_over: bool = False
    """Whether no more letters are started, because our own mail server accepts none."""
    is_trial: bool = False
    """Whether only one trial letter is sent, because our own mail server accepted none before."""
    to: Counter[str] = field(default_factory=Counter)
    """The number of letters being sent to each domain."""
    senders: list[Future[None]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)


def send_due(
    engine: Engine,
    post: Post,
    settings: Settings,
    *,
    now: Callable[[], datetime],
    still_wanted: StillWanted,
    rng: random.Random,
    awaited_only: bool = False,
    is_stopping: Callable[[], bool] = lambda: False,
) -> int:
    """Send every due letter, unless mail is paused; return how many were accepted.

    If `awaited_only`, only the letters that somebody waits for at the screen are sent. Once `is_stopping`, no further
    letter is started. A letter is marked as failed if it cannot be composed, or if `still_wanted` raises. If our mail
    server is unreachable, the sweep ends and the letters wait. Raises SettingError, before any letter is leased, if the
    DKIM settings are invalid.
    """
    dkim_signing.check(settings)
    sweep = _Sweep(engine, post, settings, now, still_wanted, rng, is_stopping, awaited_only)
    with ThreadPoolExecutor(max(post.at_once - 1, 1), "sender") as pool:
        _send_letters(sweep, pool)
        while sweep.senders:  # each future is added before the one that adds it ends
            sweep.senders.pop().result()
    return sweep.sent


def _send_letters(sweep: _Sweep, pool: ThreadPoolExecutor) -> None:
    """Send letters one after the other; each claimed letter starts another sender in parallel."""
    while not (sweep.is_stopping() or sweep.is_over) and (claimed := _claim_next(sweep)) is not None:
        if not claimed.is_ours:
            continue
        _add_sender(sweep, pool)
        try:
            with logging_about(f"letter {claimed.letter.id}"):
                sweep.is_over = not _send(sweep, claimed.letter) or sweep.is_over
        finally:
            with sweep.lock:
                sweep.to[domain_of(claimed.letter)] -= 1


def _add_sender(sweep: _Sweep, pool: ThreadPoolExecutor) -> None:
    with sweep.lock:
        running = sum(not sender.done() for sender in sweep.senders)
        if not sweep.is_trial and running + 1 < sweep.post.at_once:
            sweep.senders.append(pool.submit(_send_letters, sweep, pool))


class ClaimedLetter(NamedTuple):
    """A due letter: leased to this worker (`is_ours`), or delayed by its domain's rate limit."""

    letter: Letter
    is_ours: bool


def claim(
    session: Session,
    now: datetime,
    *,
    paced: bool = True,
    interval: timedelta = throttle.SEND_INTERVAL,
    awaited_only: bool = False,
    except_to: Collection[str] = (),
) -> ClaimedLetter | None:
    """Lease the most overdue letter in the caller's transaction; None if no letter is due.

    Letters that somebody waits for come first, or alone if `awaited_only`. Letters to the domains `except_to` are
    skipped. No other worker gets the letter before the lease ends. After its first lost lease a letter is leased again
    at once; later it waits as long as after a failure. If `paced`, a letter over the rate limit of its domain is
    delayed instead, which is not an attempt; one may be sent in each `interval`.
    """
    letter = _most_overdue(session, now, awaited_only, except_to)
    if letter is None:
        return None
    retry_at = _rest_after_loss(letter, now) or (_admit(session, letter, now, interval) if paced else None)
    if retry_at is not None:
        letter.due_at = retry_at
        letter.answer = letter.answer or refusals.why_resting(session, domain_of(letter), now)
        session.add(letter)
        session.flush()
        return ClaimedLetter(letter, is_ours=False)
    letter.state = LetterState.SENDING
    letter.tries += 1
    letter.due_at = now + LEASE
    session.add(letter)
    session.flush()
    return ClaimedLetter(letter, is_ours=True)


def _rest_after_loss(letter: Letter, now: datetime) -> datetime | None:
    """Record a lost lease, if any; return when to retry, or None for at once."""
    if letter.state != LetterState.SENDING:
        return None
    letter.lost_leases += 1
    letter.state = _waiting_state(letter)
    if letter.lost_leases == 1 or letter.lost_leases >= MOST_LOST_LEASES:
        return None
    return now + RETRIES[min(letter.lost_leases - 1, len(RETRIES)) - 1]


def _waiting_state(letter: Letter) -> LetterState:
    return LetterState.UNCERTAIN if letter.may_have_arrived else LetterState.QUEUED


def _most_overdue(session: Session, now: datetime, awaited_only: bool, except_to: Collection[str]) -> Letter | None:
    domain = func.lower(Letter.recipient)
    others = [~domain.endswith(f"@{name}", autoescape=True) for name in except_to]
    awaited = session.exec(_FIRST_AWAITED.where(*others), params={"now": now}).first()
    if awaited is not None or awaited_only:
        return awaited
    return session.exec(_FIRST.where(*others), params={"now": now}).first()


def _admit(session: Session, letter: Letter, now: datetime, interval: timedelta) -> datetime | None:
    if kind_of(letter).is_awaited:
        return throttle.admit_awaited(session, domain_of(letter), now, interval)
    return throttle.admit(session, domain_of(letter), now, now + LEASE, interval)


def reason_not_to_send(session: Session, letter: Letter, still_wanted: StillWanted) -> str | None:
    """Return why a letter is cancelled (“” if no longer wanted); None if it is to be sent."""
    reason = suppressions.suppression_reason(session, letter)
    if reason or still_wanted(session, letter):
        return reason or None
    return ""


def _claim_next(sweep: _Sweep) -> ClaimedLetter | None:
    """Claim a letter to a domain with free connection slots."""
    with sweep.lock, transaction(sweep.engine) as session:
        if pause.is_paused(session):
            return None
        paced = sweep.post.is_paced
        sweep.is_trial = paced and refusals.stopped(session) is not None
        if sweep.is_trial and not refusals.may_try(session, sweep.now()):
            return None
        claimed = claim(
            session,
            sweep.now(),
            paced=paced,
            interval=sweep.settings.letter_interval,
            awaited_only=sweep.is_awaited_only,
            except_to=[name for name, count in sweep.to.items() if count >= CONVERSATIONS],
        )
        if claimed is not None and claimed.is_ours:
            sweep.to[domain_of(claimed.letter)] += 1
            if sweep.is_trial:
                refusals.note_trial(session, sweep.now())
        return claimed


def _send(sweep: _Sweep, letter: Letter) -> bool:
    """Send one leased letter and record the outcome; return False if our server is unreachable."""
    if letter.lost_leases >= MOST_LOST_LEASES:
        _set_aside(sweep, letter)
        return True
    raw = _composed_bytes(sweep, letter)
    if raw is None:
        return True
    try:
        sender = compose.envelope_sender(letter, sweep.settings)
        with Lease(sweep.engine, letter, _place(sweep, letter), sweep.now):
            answer = sweep.post.post(sender, compose.wire_address(letter.recipient), raw)
    except PostError as error:
        _record_failure(sweep, letter, error)
        return not error.relay_down
    with sweep.lock:
        sweep.sent += 1
    _record(sweep, letter, LetterState.SENT, answer)
    return True


def _set_aside(sweep: _Sweep, letter: Letter) -> None:
    """Dead-letter a letter whose leases expired too often, and notify the operator."""
    with reading(sweep.engine) as session:
        language = _language_of(session, letter)
    with in_language(language):
        answer = _("Our program crashed ten times while sending this letter, so it was set aside.")
    log.error("letter %s (%s) was set aside: it lost %s leases", letter.id, letter.kind, letter.lost_leases)
    _record(sweep, letter, LetterState.FAILED, answer, is_dead=True)


def _composed_bytes(sweep: _Sweep, letter: Letter) -> bytes | None:
    """Return the bytes to send; None if the letter was cancelled or marked as failed."""
    language = "en"
    try:
        with reading(sweep.engine) as session:
            language = _language_of(session, letter)
            answer = reason_not_to_send(session, letter, sweep.still_wanted)
        if answer is None:
            with in_language(language):
                return dkim_signing.signed(compose.compose(letter, sweep.settings), sweep.settings)
        outcome = LetterState.CANCELLED
    except DBAPIError:
        raise  # a database error is not the letter's fault: its lease expires and it is retried
    except Exception as error:
        log.exception("letter %s (%s) was set aside", letter.id, letter.kind)
        with in_language(language):
            outcome, answer = LetterState.FAILED, _failure_text(error)
    _record(sweep, letter, outcome, answer)
    return None


def _failure_text(error: Exception) -> str:
    """Describe a failure to its reader; only LetterError texts certainly contain no secrets."""
    if isinstance(error, compose.LetterError):
        return str(error)
    return _("The letter could not be written; the log says why.")


def _language_of(session: Session, letter: Letter) -> str:
    """Return the language of a letter's reader, for the recorded outcome."""
    reader = session.get(Person, letter.person_id) if letter.person_id is not None else None
    return reader.language if reader is not None else "en"


def _record_failure(sweep: _Sweep, letter: Letter, error: PostError) -> None:
    now = sweep.now()
    waiting_state = _waiting_state(letter)
    if error.relay_down:  # not about this letter: it stays in the queue, however long it takes
        _record(sweep, letter, waiting_state, error.answer, now + RELAY_WAIT, is_try=False, stops_all=True)
    elif error.permanent and sweep.post.is_paced and blames_us(error.answer):
        _record(sweep, letter, waiting_state, error.answer, now, blames_us=True)
    elif error.permanent or (error.uncertain and letter.may_have_arrived) or _is_given_up(letter, now):
        _record(sweep, letter, LetterState.FAILED, error.answer, refused=error.permanent and error.code >= 500)
    elif error.uncertain:
        wait = UNCERTAIN_WAIT * (1 + JITTER * sweep.rng.random())
        _record(sweep, letter, LetterState.UNCERTAIN, error.answer, now + wait)
    else:
        wait = _retry_wait(letter.tries - letter.lost_leases, sweep.rng)
        _record(sweep, letter, waiting_state, error.answer, now + wait, asked_to_wait=error.code == 421)


def _is_given_up(letter: Letter, now: datetime) -> bool:
    """Whether a letter was tried long and often enough, not counting rejections of our server."""
    return now - letter.created_at > PATIENCE and letter.tries - letter.lost_leases > len(RETRIES)


def _record(
    sweep: _Sweep,
    letter: Letter,
    state: LetterState,
    answer: str,
    due_at: datetime | None = None,
    *,
    refused: bool = False,
    asked_to_wait: bool = False,
    is_try: bool = True,
    is_dead: bool = False,
    stops_all: bool = False,
    blames_us: bool = False,
) -> None:
    """Record the outcome of a leased letter.

    If another worker has leased or sent it since, only “sent” is recorded. `refused` means that the server answered
    5xx, which counts as a bounce. `asked_to_wait` means that it answered 421. Without `is_try`, the letter was not
    offered to a server. `is_dead` means that the operator is to be notified. `stops_all` means that our own server
    accepts no letters. `blames_us` means that the recipient's server rejects our server, so its domain rests.
    """
    with transaction(sweep.engine) as session:
        was_stopped = refusals.stopped(session) is not None
        if stops_all or blames_us or was_stopped:
            refusals.lock(session, sweep.now())
        _release_slot(sweep, session, letter, asked_to_wait)
        row = session.get(Letter, letter.id, with_for_update=True)
        if stops_all:
            refusals.stop(session, answer, sweep.now())
        elif state == LetterState.SENT and (sweep.post.is_paced or was_stopped):
            refusals.accept(session, domain_of(letter), sweep.now(), ends_stop=was_stopped)
        is_settled = row is not None and (row.tries != letter.tries or row.state == LetterState.SENT)
        if row is None or (is_settled and state != LetterState.SENT):
            return
        if blames_us:
            state, due_at, is_try = _after_refusal_of_us(sweep, session, row, state, answer)
            refused = state == LetterState.FAILED
        row.state, row.answer = state, masked(" ".join(answer.split()))[:ANSWER_LIMIT]
        row.due_at = due_at or (sweep.now() if state == LetterState.FAILED else row.due_at)
        row.tries -= 0 if is_try else 1
        row.may_have_arrived = row.may_have_arrived or state == LetterState.UNCERTAIN
        row.is_untold = is_dead
        row.sent_at = sweep.now() if state == LetterState.SENT else row.sent_at
        session.add(row)
        counting.count(session, "letters", "deferred" if state in _WAITING else state, row.kind)
        recovery_codes.settle(session, row, sweep.settings.secret_key)
        if state == LetterState.SENT:
            pushes.mark_due(session, row, now=sweep.now())
        if refused:
            suppressions.record_bounce(session, row, read_answer(row.answer), now=sweep.now())


def _after_refusal_of_us(
    sweep: _Sweep, session: Session, letter: Letter, waiting_state: LetterState, answer: str
) -> tuple[LetterState, datetime | None, bool]:
    """Let a letter's domain rest; return state, due time and whether it was an attempt.

    A letter fails if its domain rejects it again while accepting others, so that it cannot block them for ever.
    """
    now, domain = sweep.now(), domain_of(letter)
    if refusals.accepts_others(session, domain, letter, now) or _is_given_up(letter, now):
        return LetterState.FAILED, None, True
    rests_until = refusals.refuse(session, domain, answer, now)
    if refusals.stopped(session) is not None:
        return waiting_state, rests_until, False
    return waiting_state, rests_until + _retry_wait(letter.tries - letter.lost_leases, sweep.rng), True


def _release_slot(sweep: _Sweep, session: Session, letter: Letter, asked_to_wait: bool) -> None:
    if place := _place(sweep, letter):
        throttle.release(session, place, letter.due_at, sweep.now())
    if sweep.post.is_paced and asked_to_wait:
        throttle.back_off(session, domain_of(letter), sweep.now())


def _place(sweep: _Sweep, letter: Letter) -> str:
    """The domain whose conversation slot the letter takes; empty for awaited letters."""
    is_counted = sweep.post.is_paced and sweep.settings.letter_interval and not kind_of(letter).is_awaited
    return domain_of(letter) if is_counted else ""


def _retry_wait(tries: int, rng: random.Random) -> timedelta:
    return RETRIES[min(tries, len(RETRIES)) - 1] * rng.uniform(1 - JITTER, 1 + JITTER)


def domain_of(letter: Letter) -> str:
    """Return the recipient's domain, in lower case."""
    return letter.recipient.rpartition("@")[2].lower()
