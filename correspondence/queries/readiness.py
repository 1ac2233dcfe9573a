"""Health checks: the disk, the database, a running worker, and queues.

For monitoring and for the set-up check. Each problem is a sentence in English for an operator.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from correspondence.clocks import outages, processes
from correspondence.clocks.outages import BEAT
from correspondence.clocks.processes import MAIL
from correspondence.core.config import Settings
from correspondence.core.db import reading
from correspondence.models import Heartbeat, Inbound, Letter, Match, ServiceState
from correspondence.models.mail import LETTER_IS_OPEN, MESSAGE_IS_OPEN
from correspondence.models.matches import MATCH_HAS_CLOCK
from correspondence.outbound import refusals
from engines import GAMES

LATE = timedelta(minutes=15)
"""Delay after which something due counts as late."""

LEAST_FREE = 0.1
"""Minimum free fraction of a disk."""

_PROBE = 1 << 16
"""Size of the test write to a disk, in bytes."""


def problems(engine: Engine, settings: Settings, *, now: datetime) -> list[str]:
    """Return the service's problems as sentences; empty if there are none. Raises nothing."""
    found = list(disk_problems(settings))
    try:
        _try_to_write(engine)
        with reading(engine) as session:
            found.extend(work_problems(session, settings, now=now))
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        found.append(f"The database cannot be written: {reason.rstrip('.')}.")
    return found


def disk_problems(settings: Settings) -> Iterator[str]:
    """Yield the problems of the instance folder's disk."""
    folder = settings.instance
    try:
        usage = shutil.disk_usage(folder)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE))
            probe.flush()
    except OSError as error:
        yield f"The folder {folder} cannot be written: {error.strerror}."
        return
    if usage.free < LEAST_FREE * usage.total:
        yield f"The disk of {folder} is nearly full: {usage.free / usage.total:.0%} is free."


def work_problems(session: Session, settings: Settings, *, now: datetime) -> Iterator[str]:
    """Yield what is missing or late: processes, incoming mail, and queues."""
    yield from _missing(session, settings, now)
    waits = set()
    for waiting, sentence in (*_switched(session), *_refused(session, now)):
        waits |= waiting
        yield sentence
    for what, oldest_due in _OLDEST.items():
        if what in waits:
            continue
        oldest = session.exec(oldest_due).first()
        if oldest is not None and now - oldest > LATE:
            yield f"{what} since {oldest:%Y-%m-%d %H:%M} UTC."


def _missing(session: Session, settings: Settings, now: datetime) -> Iterator[str]:
    """Yield the processes without a sign of life, and a lack of incoming mail."""
    signs = outages.signs_of(session)
    patience = 3 * max(BEAT, timedelta(seconds=settings.worker_interval))
    if signs.worked_at is None:
        yield "No worker has ever run: start flask worker, or python app.py."
    elif now - signs.worked_at > patience:
        yield f"No worker has run since {signs.worked_at:%Y-%m-%d %H:%M} UTC: start flask worker, or python app.py."
    for one in processes.known(session, now=now):
        if processes.is_missing(one, now):
            yield (
                f"The {one.part} {one.name} has given no sign of life since {one.at:%Y-%m-%d %H:%M} UTC: start it again; "
                f"if it is not needed any more, run flask process forget {one.name}."
            )
    if signs.mail_at is not None and now - signs.mail_at > outages.LOST:
        yield (
            f"No mail could be received since {signs.mail_at:%Y-%m-%d %H:%M} UTC, so no clock runs: start flask listen, or check "
            "the mail server of MAIL_FRONT or the mailbox of MAIL_FETCH. "
            f"If the service is to receive no mail any more, run flask process forget {MAIL}."
        )


def _switched(session: Session) -> Iterator[tuple[set[str], str]]:
    """Yield each switch that operators have set, as a sentence, with the queues it stops."""
    state = session.get(ServiceState, 1)
    if state is not None and state.read_only_since is not None:
        sentence = (
            f"The service has been read-only since {state.read_only_since:%Y-%m-%d %H:%M} UTC: {state.read_only_for}"
        )
        yield {_MAIL, _GAMES}, sentence
    if state is not None and state.mail_paused_since is not None:
        sentence = (
            f"Letters have been paused since {state.mail_paused_since:%Y-%m-%d %H:%M} UTC: {state.mail_paused_for}"
        )
        yield {_LETTERS}, sentence


def _refused(session: Session, now: datetime) -> Iterator[tuple[set[str], str]]:
    """Report that our mail server accepts no letters: at once if it says so, else after LATE."""
    state = refusals.holding_up(session)
    if state is not None and (state.is_answer or now - state.at > LATE):
        yield {_LETTERS}, f"The mail server has accepted no letters since {state.at:%Y-%m-%d %H:%M} UTC: {state.words}"


def _first(column: Any, *conditions: Any) -> Any:
    return select(column).where(*conditions).order_by(column).limit(1)


_LETTERS = "Letters have been waiting to be sent"
_MAIL = "Mail has been waiting to be read"
_GAMES = "Games have been waiting to end on time"

_OLDEST = {
    _LETTERS: _first(col(Letter.due_at), LETTER_IS_OPEN),
    _MAIL: _first(col(Inbound.due_at), MESSAGE_IS_OPEN),
    _GAMES: _first(col(Match.deadline), MATCH_HAS_CLOCK, col(Match.game).in_(list(GAMES))),
}
"""Queries for the oldest due time of each queue."""


def _try_to_write(engine: Engine) -> None:
    """Write a row and roll back; a read-only database refuses it."""
    with Session(engine) as session:
        session.connection().execute(update(Heartbeat).where(col(Heartbeat.id) == 1).values(at=col(Heartbeat.at)))
        session.rollback()
