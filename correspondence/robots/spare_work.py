"""Registry of work for the robots' processes beside games in play, such as judging finished games.

A feature registers a module with these functions. Robots ask for its work when no turn waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from correspondence.core.config import Settings


class Leased(Protocol):
    """One question for a search process, leased to this worker."""

    @property
    def question(self) -> dict[str, Any]:
        """The question, as `engines.search.thinker` reads it."""

    @property
    def name(self) -> str:
        """What the question is about, for the log."""


class SpareWork(Protocol):
    """Functions of a module that finds, leases and stores such work, one question at a time."""

    @property
    def DUE(self) -> SelectOfScalar[int]:
        """Query for the piece of work that has waited longest for a worker `now`."""

    def due(self, session: Session, *, now: datetime) -> int | None:
        """Return the id of the piece of work that has waited longest, or None."""

    def claim(self, session: Session, number: int, *, now: datetime) -> Any:
        """Lease the next question (`Leased`) of a piece of work; None if there is none."""

    def keep(self, session: Session, leased: Any, answer: dict[str, Any], *, now: datetime) -> bool:
        """Store an answer if the lease is still valid; return whether it was."""

    def fail(self, session: Session, leased: Any, *, now: datetime) -> None:
        """Retry a question whose search failed, or give up after too many failures."""

    def give_back(self, session: Session, leased: Any) -> None:
        """Release a question for another worker without counting an attempt."""

    def give_up(self, session: Session, number: int, *, now: datetime) -> None:
        """Mark a piece of work as failed."""

    def given_up(self, session: Session, *, since: datetime) -> list[int]:
        """Return the games whose work failed after `since`."""


WORK: dict[str, SpareWork] = {}
"""The registered work, by feature."""


def work_of(settings: Settings) -> Sequence[SpareWork]:
    """Return the work of all features that are switched on."""
    return tuple(work for feature, work in WORK.items() if settings.has_feature(feature))
