"""Heartbeats: a thread in each process records the last sign of life of each of its parts.

A sign of life is a part's actual work: a worker looked for due rows, the listener greeted, the mailbox answered. The
thread also stores the process's counters (core/counting.py).
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from correspondence.clocks import outages, processes
from correspondence.clocks.processes import TAKES_MAIL, WEB, Holder
from correspondence.core import counting
from correspondence.core.db import transaction
from correspondence.core.runtime import Runtime
from correspondence.models import Process

log = logging.getLogger(__name__)

_STOP_WITHIN = 2.0
"""Time that a stopping process waits for the current beat, in seconds."""


@dataclass(frozen=True, slots=True)
class LivingPart:
    """A part of this process; `sign` returns its last sign of life, None before the first.

    `is_expected`: it is reported as missing even before its first sign, unless it stands by for another process.
    `lets_mail_in`: whether mail can come in through this part while it lives.
    """

    name: str
    sign: Callable[[], datetime | None]
    is_expected: bool = True
    lets_mail_in: Callable[[], bool] = lambda: True


@dataclass(slots=True)
class LastDone:
    """The last run of a repeated job, which reveals an overdue one."""

    now: Callable[[], datetime]
    every: timedelta = timedelta(0)
    done_at: datetime | None = None

    def note(self) -> None:
        """Record that the job ran just now."""
        self.done_at = self.now()

    def sign(self) -> datetime | None:
        """Return the present, or when the next run was due if that is past; None before any run."""
        return min(self.now(), self.done_at + self.every) if self.done_at is not None else None


class Heartbeats:
    """The heartbeats of this process, from `start` until `stop`."""

    def __init__(self, runtime: Runtime, parts: Sequence[LivingPart]) -> None:
        self._runtime, self._parts = runtime, parts
        self._holder = Holder(platform.node(), os.getpid(), secrets.token_hex(8))
        self._began = runtime.now()
        self._names: dict[str, str] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeats", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and delete this process's rows, so that it is not reported as missing."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(_STOP_WITHIN)
        if self._thread.is_alive():  # the database does not answer
            return
        with suppress(SQLAlchemyError):
            counting.keep(self._runtime.engine, self._runtime.settings)
            with transaction(self._runtime.engine) as session:
                processes.leave(session, self._holder)

    def beat(self) -> None:
        """Record the last sign of life of each part."""
        signs = [(part, part.sign(), part.lets_mail_in()) for part in self._parts]
        with transaction(self._runtime.engine) as session:
            for part, at, lets_mail_in in signs:
                self._tell(session, part, at, lets_mail_in)
        counting.keep(self._runtime.engine, self._runtime.settings)

    def _run(self) -> None:
        while True:
            try:
                self.beat()
            except Exception:
                log.exception("the heartbeat of this process could not be kept")
            if self._stopped.wait(outages.BEAT.total_seconds()):
                return

    def _tell(self, session: Session, part: LivingPart, at: datetime | None, lets_mail_in: bool) -> None:
        if at is None and not part.is_expected:
            return
        takes_mail = part.name in TAKES_MAIL
        if takes_mail:
            outages.expect_mail(session, now=self._began)
        name = self._names.get(part.name)
        if name is None or not processes.beat(session, name, self._holder, at or self._began):
            now = at or self._began
            self._names[part.name] = processes.claim(session, part.name, self._holder, self._has_ended, now=now)
        if takes_mail and at is not None and lets_mail_in:
            outage = outages.record_way_in(session, now=at)
            if outage is not None:
                log.warning("mail had no way in from %s to %s; no clock ran", outage.begins_at, outage.ends_at)

    def _has_ended(self, process: Process) -> bool:
        """Whether the process of a row on this host has ended, so that its name is free.

        Its pid is checked only before the first beat: containers that share a name do not see each other's processes.
        """
        if processes.is_missing(process, self._runtime.now()):
            return True
        return process.part not in self._names and (process.pid == self._holder.pid or not _exists(process.pid))


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it belongs to another user
        return True
    return True


def of_pages(runtime: Runtime) -> Heartbeats:
    """Start the heartbeats of a process that only serves pages (deploy/gunicorn.conf.py)."""
    heartbeats = Heartbeats(runtime, [LivingPart(WEB, runtime.now)])
    heartbeats.start()
    return heartbeats
