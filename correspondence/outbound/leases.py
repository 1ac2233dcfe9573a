"""The lease on a letter, renewed while the letter is being sent.

A lease is short, so that a letter and its connection slot soon become available after a worker was killed. A connection
to a slow mail server can take longer than a lease, so a thread renews it until the end.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from sqlalchemy import Engine
from sqlmodel import col, update

from correspondence.core.db import transaction
from correspondence.models import Letter
from correspondence.outbound import throttle

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=1)
"""Duration of a worker's lease on a letter and its connection slot, unless renewed."""

_RENEWED_EVERY = LEASE / 3


class Lease:
    """Context manager: renew the lease on a letter while the block runs.

    `letter.due_at` is the end of the lease. `place` is the domain of the connection; empty if it uses no slot.
    """

    def __init__(self, engine: Engine, letter: Letter, place: str, now: Callable[[], datetime]) -> None:
        self._engine, self._letter, self._place, self._now = engine, letter, place, now
        self._lock = threading.Lock()
        self._is_over = False
        self._timer = self._new_timer()

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._lock:
            self._is_over = True
        self._timer.cancel()

    def renew(self) -> None:
        """Extend the lease; nothing happens if another worker holds it by now."""
        with self._lock:
            if self._is_over:
                return
            ends_at, new_end = self._letter.due_at, self._now() + LEASE
            is_held = (col(Letter.id) == self._letter.id, col(Letter.due_at) == ends_at)
            with transaction(self._engine) as session:
                held = session.connection().execute(update(Letter).where(*is_held).values(due_at=new_end)).rowcount
                if held and self._place:
                    throttle.hold(session, self._place, ends_at, new_end, self._now())
            if held:
                self._letter.due_at = new_end

    def _new_timer(self) -> threading.Timer:
        timer = threading.Timer(_RENEWED_EVERY.total_seconds(), self._renew_again)
        timer.daemon = True
        return timer

    def _renew_again(self) -> None:
        try:
            self.renew()
        except Exception:
            log.exception("the lease on letter %s could not be renewed", self._letter.id)
        with self._lock:
            if not self._is_over:
                self._timer = self._new_timer()
                self._timer.start()
