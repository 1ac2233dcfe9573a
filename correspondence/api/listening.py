"""Programs that wait for events: their limits, and one shared poll of the database.

A waiting program holds a server thread, but no database connection. While any program waits, one thread polls the
members' last event numbers every `POLL` seconds, by one query on the primary key. It wakes the programs whose member
has a new event.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable

from flask import current_app
from sqlalchemy import bindparam
from sqlmodel import col, select

from correspondence.core import db
from correspondence.core.runtime import Runtime
from correspondence.models import Person
from correspondence.web.current import current_runtime

log = logging.getLogger(__name__)

POLL = 2.0
"""Seconds between two polls of the database."""

MOST_OF_MEMBER = 3
"""Maximum number of programs of one member that wait in a process."""

_NUMBERS = select(Person.id, Person.event_number).where(col(Person.id).in_(bindparam("persons", expanding=True)))

_EXTENSION = "correspondence_listeners"


class NoRoom(Exception):
    """Raised if no more programs may wait; `is_own` if the member has reached their own limit."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__()
        self.is_own = is_own


class Listeners:
    """The programs that wait in this process.

    They use at most half of the server's threads, so that pages are always served.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.most = max(1, runtime.settings.web_threads // 2)
        self._waiting = Counter[int]()
        self._numbers: dict[int, int] = {}
        self._changed = threading.Condition()
        self._looker: threading.Thread | None = None

    def enter(self, person_id: int) -> Callable[[], None]:
        """Take a place for a program of this member. Raises NoRoom.

        Returns a function that frees the place; only its first call counts.
        """
        with self._changed:
            if self._waiting[person_id] >= MOST_OF_MEMBER:
                raise NoRoom(is_own=True)
            if self._waiting.total() >= self.most:
                raise NoRoom(is_own=False)
            self._waiting[person_id] += 1
        left = threading.Lock()

        def leave() -> None:
            if left.acquire(blocking=False):
                self._leave(person_id)

        return leave

    def _leave(self, person_id: int) -> None:
        with self._changed:
            self._waiting[person_id] -= 1
            if not self._waiting[person_id]:
                del self._waiting[person_id]
                self._numbers.pop(person_id, None)

    def wait(self, person_id: int, after: int, seconds: float) -> bool:
        """Wait until the member's last number is above `after`.

        Returns False after `seconds`, or if the process stops.
        """
        with self._changed:
            if self._looker is None:
                self._looker = threading.Thread(target=self._look_on, name="events", daemon=True)
                self._looker.start()
            self._changed.wait_for(lambda: self._is_stopping or self._numbers.get(person_id, 0) > after, seconds)
            return not self._is_stopping and self._numbers.get(person_id, 0) > after

    @property
    def _is_stopping(self) -> bool:
        return self.runtime.stopping.is_set()

    def _look_on(self) -> None:
        """Poll the database while any program waits."""
        while True:
            with self._changed:
                if not self._waiting or self._is_stopping:
                    self._looker = None
                    self._changed.notify_all()
                    return
                persons = list(self._waiting)
            try:
                self._look(persons)
            except Exception:
                log.exception("the numbers of events could not be read; they are asked for again")
            self.runtime.stopping.wait(POLL)

    def _look(self, persons: list[int]) -> None:
        with db.reading(self.runtime.engine) as session:
            numbers = {person_id: number or 0 for person_id, number in db.rows(session, _NUMBERS, persons=persons)}
        with self._changed:
            self._numbers = {person_id: number for person_id, number in numbers.items() if person_id in self._waiting}
            self._changed.notify_all()


def listeners() -> Listeners:
    """The programs that wait in the current application."""
    runtime = current_runtime()
    known: Listeners | None = current_app.extensions.get(_EXTENSION)
    if known is None or known.runtime is not runtime:
        known = current_app.extensions[_EXTENSION] = Listeners(runtime)
    return known
