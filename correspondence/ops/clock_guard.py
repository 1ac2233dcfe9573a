"""Clocks that cannot be relied on: one that was set while a worker runs, and one that differs from the database's.

The scheduler plans its sweeps by the clock on the wall. Where that is set back, they would wait until it has caught up;
so a change is noticed by a clock that nobody can set (PEP 418, `time.monotonic`), and all sweeps run at once.

Deadlines, leases and the pulse of workers are compared between machines. So a machine whose clock differs from that of
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
"""How much a clock may differ from that of the database."""

LEAST_CHANGE = 2.0
"""By how many seconds a clock must have been set to be noticed; less is what time servers correct little by little."""

_LOOKED_EVERY = 1.0
_ASKED_EVERY = timedelta(minutes=1)


class ClockGuard:
    """Notices that the clock was set, and knows whether it agrees with the database's."""

    def __init__(self, engine: Engine, now: Callable[[], datetime] = utc_now) -> None:
        self._engine, self._now = engine, now
        self._wall, self._monotonic = time.time(), time.monotonic()
        self._stopped = threading.Event()
        self.skew = timedelta(0)
        """How far this clock was ahead of the database's, when it was last asked."""

    @property
    def is_right(self) -> bool:
        """Whether sweeps may run by this clock."""
        return abs(self.skew) <= MOST_SKEW

    def demand(self) -> None:
        """Raise SettingError where the clock differs too much from the database's."""
        self.ask()
        if not self.is_right:
            raise SettingError(f"{self._sentence()} Set both by a time server (NTP) and start again.")

    def ask(self) -> None:
        """Ask the database for its time; SQLite has none but that of this machine."""
        if self._engine.dialect.name != "postgresql":
            return
        was_right = self.is_right
        with read_only(self._engine).connect() as connection:
            theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        self.skew = self._now() - theirs
        if was_right != self.is_right:
            log.warning("the clocks agree again" if self.is_right else f"{self._sentence()} No sweep runs meanwhile.")

    def was_set(self) -> bool:
        """Whether somebody has set the clock since this was last asked."""
        wall, monotonic = time.time(), time.monotonic()
        change = (wall - self._wall) - (monotonic - self._monotonic)
        self._wall, self._monotonic = wall, monotonic
        if abs(change) < LEAST_CHANGE:
            return False
        log.warning("the clock was set by %.0f seconds, or the machine slept; all sweeps run at once", change)
        return True

    def watch(self, scheduler: BaseScheduler, wake: Callable[[], None]) -> None:
        """Look after the clock in a thread, until `stop`; sweeps run at once whenever it was set (`wake` for those due)."""
        threading.Thread(target=self._watch, args=(scheduler, wake), name="clock", daemon=True).start()

    def stop(self) -> None:
        """Look after the clock no longer."""
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
