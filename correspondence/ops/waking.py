"""The watch for due sweeps: after each write to the database, and every few seconds.

A sweep never runs twice at once. If it is due again while it runs, the watch runs it again at once instead of at the
next look.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from correspondence.core.news import News

log = logging.getLogger(__name__)

STEP = 0.5
"""Maximum single wait for news, in seconds, so that the watch ends soon when stopped."""


class DueWatch:
    """A thread that finds due sweeps with `look`, and starts each in a thread with `start`."""

    def __init__(
        self, news: News, look: Callable[[Callable[[str], None]], None], start: Callable[[str], None], interval: float
    ) -> None:
        self._news, self._look, self._start, self._interval = news, look, start, interval
        self._lock = threading.Lock()
        self._running: set[str] = set()
        self._due_again: set[str] = set()
        self._awake, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name="what is due", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; a running sweep continues."""
        self._stopped.set()
        self._thread.join(2 * STEP)

    def ended(self, name: str) -> None:
        """Record that a sweep has ended; look again if it was due meanwhile."""
        with self._lock:
            self._running.discard(name)
            if name in self._due_again:
                self._due_again.discard(name)
                self._awake.set()

    def wake(self) -> None:
        """Look now."""
        self._awake.set()

    def _watch(self) -> None:
        looked_at = float("-inf")
        while not self._stopped.is_set():
            if self._news_within(looked_at + self._interval):
                looked_at = time.monotonic()
                self._awake.clear()
                self._look(self._run)
        self._news.close()

    def _news_within(self, until: float) -> bool:
        """Wait one step for news; returns whether it is time to look."""
        left = until - time.monotonic()
        if self._awake.is_set() or left <= 0:
            return True
        try:
            return self._news.wait(min(STEP, left))
        except Exception:
            log.exception("news of the database could not be heard")
            self._stopped.wait(STEP)
            return False

    def _run(self, name: str) -> None:
        with self._lock:
            if name in self._running:
                self._due_again.add(name)
                return
            self._running.add(name)
        self._start(name)
