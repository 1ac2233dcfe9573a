"""The outbox: every due letter is claimed by one worker, posted, and what came of it noted.

A claim puts off the due time of a letter in one short transaction; the post is called outside any.
So a crash delays a letter and never loses it, and any number of workers send one copy. The one gap
that nobody can close lies between the other side's 250 and our note: a letter of which we do not
know is tried once more, with the same Message-ID, and never a third time.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from correspondence.core.config import Settings
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import masked
from correspondence.mime.bounces import read_answer
from correspondence.models import Letter, LetterState
from correspondence.outbound import compose, dkim_signing, suppressions, throttle
from correspondence.transport import Post, PostError
from engines.wording import _

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=15)
"""How long a worker may keep a letter to itself: more than the time limits of one conversation add up to."""

RETRIES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))
"""The waits after the first failures; the last one holds for all that follow."""

JITTER = 0.2
"""By which part a wait is made shorter or longer by lot, so that letters do not come back all at once."""

PATIENCE = timedelta(days=5)
"""How long a letter is tried (RFC 5321 4.5.4.1)."""

UNCERTAIN_WAIT = timedelta(minutes=10)
"""The least wait before a letter that may have arrived is sent once more."""

RELAY_WAIT = timedelta(minutes=1)
"""When a letter that found the relay out of reach is tried again; that counts as no try of the letter."""

ANSWER_LIMIT = 500
"""Characters of an answer that are kept."""

_OPEN = text("state IN ('queued', 'sending', 'uncertain')")  # literally, or the partial index is not used

Wanted = Callable[[Session, Letter], bool]
"""Says, just before a letter is sent, whether it still should be."""


@dataclass(slots=True)
class _Sweep:
    engine: Engine
    post: Post
    settings: Settings
    now: Callable[[], datetime]
    still_wanted: Wanted
    rng: random.Random
    sent: int = 0


def send_due(
    engine: Engine,
    post: Post,
    settings: Settings,
    *,
    now: Callable[[], datetime],
    still_wanted: Wanted,
    rng: random.Random,
) -> int:
    """Send every letter that is due, one after the other; returns how many were taken by the other side.

    A letter that cannot be composed, or of which `still_wanted` raises, is set aside as failed. When
    the relay itself is out of reach the sweep ends, and the letters wait. Raises SettingError, before any letter
    is taken, where letters cannot be signed as the settings ask.
    """
    dkim_signing.check(settings)
    sweep = _Sweep(engine, post, settings, now, still_wanted, rng)
    try:
        while (claimed := _next(sweep)) is not None:
            if claimed.is_ours and not _send(sweep, claimed.letter):
                break
    finally:
        post.close()
    return sweep.sent


class Claim(NamedTuple):
    """A letter that was due: ours to send now, or put off because its domain cannot have it yet."""

    letter: Letter
    is_ours: bool


def claim(session: Session, now: datetime, *, paced: bool = True) -> Claim | None:
    """Take the letter that is due longest, in the caller's transaction; None when there is none.

    Nobody else gets it before its lease ends. A letter whose last try ended without an answer, or with
    its worker, is taken once more and counts as failed until something better is noted. When `paced`, a
    letter whose domain cannot have it now is put off instead, and comes back untried.
    """
    due = select(Letter).where(_OPEN, col(Letter.due_at) <= now).order_by(col(Letter.due_at), col(Letter.id))
    letter = session.exec(due.limit(1).with_for_update(skip_locked=True)).first()
    if letter is None:
        return None
    later = throttle.admit(session, _domain(letter), now, now + LEASE) if paced else None
    if later is not None:
        letter.due_at = later
        session.add(letter)
        session.flush()
        return Claim(letter, is_ours=False)
    if letter.state == LetterState.QUEUED:
        letter.state = LetterState.SENDING
    else:
        letter.state = LetterState.FAILED
        letter.answer = _("Sent twice, and both times without an answer.")
    letter.tries += 1
    letter.due_at = now + LEASE
    session.add(letter)
    session.flush()
    return Claim(letter, is_ours=True)


def hindrance(session: Session, letter: Letter, still_wanted: Wanted) -> str | None:
    """Why a letter is not to be sent after all, the last question before the wire; None where nothing hinders."""
    suppressed = suppressions.hindrance(session, letter)
    if suppressed or still_wanted(session, letter):
        return suppressed or None
    return ""


def _next(sweep: _Sweep) -> Claim | None:
    with transaction(sweep.engine) as session:
        return claim(session, sweep.now(), paced=sweep.post.is_paced)


def _send(sweep: _Sweep, letter: Letter) -> bool:
    """Compose and post one claimed letter, and note the outcome; False when nothing can be posted now."""
    raw = _composed(sweep, letter)
    if raw is None:
        return True
    try:
        sender = compose.envelope_sender(letter, sweep.settings)
        answer = sweep.post.post(sender, compose.wire_address(letter.recipient), raw)
    except PostError as error:
        _note_failure(sweep, letter, error)
        return not error.relay_down
    sweep.sent += 1
    _note(sweep, letter, LetterState.SENT, answer)
    return True


def _composed(sweep: _Sweep, letter: Letter) -> bytes | None:
    """The bytes to post; None when the letter was cancelled or set aside."""
    try:
        with reading(sweep.engine) as session:
            why_not = hindrance(session, letter, sweep.still_wanted)
        if why_not is None:
            return dkim_signing.signed(compose.compose(letter, sweep.settings), sweep.settings)
        _note(sweep, letter, LetterState.CANCELLED, why_not)
    except DBAPIError:
        raise  # trouble with the database is not the letter's fault: its lease ends, and it is tried again
    except Exception as error:
        log.exception("letter %s (%s) was set aside", letter.id, letter.kind)
        is_ours = isinstance(error, compose.LetterError)  # anything else may hold what no reader is to see
        why = str(error) if is_ours else "The letter could not be written; the log says why."
        _note(sweep, letter, LetterState.FAILED, why)
    return None


def _note_failure(sweep: _Sweep, letter: Letter, error: PostError) -> None:
    now = sweep.now()
    may_have_arrived = letter.state == LetterState.FAILED  # as a claim leaves what is sent once more
    waits = LetterState.UNCERTAIN if may_have_arrived else LetterState.QUEUED
    if error.relay_down:  # that is not about the letter: it stays in the queue, however long it takes
        _note(sweep, letter, waits, error.answer, now + RELAY_WAIT, is_try=False)
    elif error.permanent or (error.uncertain and may_have_arrived) or now - letter.created_at > PATIENCE:
        _note(sweep, letter, LetterState.FAILED, error.answer, refused=error.permanent and error.code >= 500)
    elif error.uncertain:
        wait = UNCERTAIN_WAIT * (1 + JITTER * sweep.rng.random())
        _note(sweep, letter, LetterState.UNCERTAIN, error.answer, now + wait)
    else:
        _note(sweep, letter, waits, error.answer, now + _wait(letter.tries, sweep.rng), rests=error.code == 421)


def _note(
    sweep: _Sweep,
    letter: Letter,
    state: LetterState,
    answer: str,
    due_at: datetime | None = None,
    *,
    refused: bool = False,
    rests: bool = False,
    is_try: bool = True,
) -> None:
    """Write down what came of a claimed letter; a claim that was overtaken may only add that it was sent.

    `refused`: the other side said 5xx, which counts as a bounce. `rests`: it asked for time. Without
    `is_try` the letter was not even offered.
    """
    with transaction(sweep.engine) as session:
        _free(sweep, session, letter, rests)
        row = session.get(Letter, letter.id, with_for_update=True)
        if row is None or (row.tries != letter.tries and state != LetterState.SENT):
            return
        row.state, row.answer = state, masked(" ".join(answer.split()))[:ANSWER_LIMIT]
        row.due_at = due_at or row.due_at
        row.tries -= 0 if is_try else 1
        row.sent_at = sweep.now() if state == LetterState.SENT else row.sent_at
        session.add(row)
        if refused:
            suppressions.note_return(session, row, read_answer(row.answer), now=sweep.now())


def _free(sweep: _Sweep, session: Session, letter: Letter, rests: bool) -> None:
    if sweep.post.is_paced:
        throttle.release(session, _domain(letter), letter.due_at, sweep.now())
        if rests:
            throttle.rest(session, _domain(letter), sweep.now())


def _wait(tries: int, rng: random.Random) -> timedelta:
    return RETRIES[min(tries, len(RETRIES)) - 1] * rng.uniform(1 - JITTER, 1 + JITTER)


def _domain(letter: Letter) -> str:
    return letter.recipient.rpartition("@")[2].lower()
