"""Detection of unreliable clocks: set while a worker runs, or unlike the database's clock.

The scheduler plans its sweeps by the wall clock. If that is set back, they would wait until it has caught up. A
monotonic clock (PEP 418, `time.monotonic`) reveals such a change, and all sweeps run at once.

Deadlines, leases and heartbeats of workers are compared between machines. So a machine whose clock differs from that of
the database by more than `MOST_SKEW` runs no sweep until it is right again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from apscheduler.schedulers.base import BaseScheduler
from sqlalchemy import Engine, text

from correspondence.core.config import SettingError
from correspondence.core.db import read_only
from correspondence.core.runtime import utc_now

log = logging.getLogger(__name__)

MOST_SKEW = timedelta(seconds=30)
"""Maximum difference between this clock and the database's."""

LEAST_CHANGE = 2.0
"""Minimum change of the clock that is noticed, in seconds; time servers make smaller ones."""

_LOOKED_EVERY = 1.0
_ASKED_EVERY = timedelta(minutes=1)


class ClockGuard:
    """Watches the clock: whether it was set, and whether it agrees with the database's."""

    def __init__(self, engine: Engine, now: Callable[[], datetime] = utc_now) -> None:
        self._engine, self._now = engine, now
        self._wall, self._monotonic = time.time(), time.monotonic()
        self._stopped = threading.Event()
        self.skew = timedelta(0)
        """How far this clock was ahead of the database's at the last check."""

    @property
    def is_right(self) -> bool:
        """Whether sweeps may run by this clock."""
        return abs(self.skew) <= MOST_SKEW

    def demand(self) -> None:
        """Raise SettingError if the clock differs too much from the database's."""
        self.ask()
        if not self.is_right:
            raise SettingError(f"{self._sentence()} Set both by a time server (NTP) and start again.")

    def ask(self) -> None:
        """Compare this clock with PostgreSQL's; SQLite uses this machine's clock."""
        if self._engine.dialect.name != "postgresql":
            return
        was_right = self.is_right
        with read_only(self._engine).connect() as connection:
            theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        self.skew = self._now() - theirs
        if was_right != self.is_right:
            log.warning("the clocks agree again" if self.is_right else f"{self._sentence()} No sweep runs meanwhile.")

    def was_set(self) -> bool:
        """Whether the clock was set since the last call."""
        wall, monotonic = time.time(), time.monotonic()
        change = (wall - self._wall) - (monotonic - self._monotonic)
        self._wall, self._monotonic = wall, monotonic
        if abs(change) < LEAST_CHANGE:
            return False
        log.warning("the clock was set by %.0f seconds, or the machine slept; all sweeps run at once", change)
        return True

    def watch(self, scheduler: BaseScheduler, wake: Callable[[], None]) -> None:
        """Watch the clock until `stop`; if it was set, run all sweeps at once (`wake`: due ones)."""
        threading.Thread(target=self._watch, args=(scheduler, wake), name="clock", daemon=True).start()

    def stop(self) -> None:
        """Stop watching the clock."""
        self._stopped.set()

    def _watch(self, scheduler: BaseScheduler, wake: Callable[[], None]) -> None:
        asked_at = time.monotonic()
        while not self._stopped.wait(_LOOKED_EVERY):
            was_set = self.was_set()
            if was_set:
                for job in scheduler.get_jobs():
                    job.modify(next_run_time=utc_now())
                wake()
            if was_set or time.monotonic() - asked_at >= _ASKED_EVERY.total_seconds():
                self._ask_again()
                asked_at = time.monotonic()

    def _ask_again(self) -> None:
        try:
            self.ask()
        except Exception:
            log.exception("the database could not be asked for its time")

    def _sentence(self) -> str:
        ahead = "ahead of" if self.skew > timedelta(0) else "behind"
        return f"The clock of this machine is {abs(self.skew).total_seconds():.0f} seconds {ahead} the database's."
