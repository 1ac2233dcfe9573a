"""Registry of work for the robots' processes beside games in play, such as judging finished games.

A feature registers a module with these functions. Robots ask for its work when no turn waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from correspondence.core import db
from correspondence.core.config import Settings
from engines.base import Game, Position, Seat
from engines.codec import dump
from engines.search.judgement import budget_of


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


class LeasedRow(Protocol):
    """A row of a piece of work; `lease` is that of the worker who has it, or empty."""

    lease: str


_Row = TypeVar("_Row", bound=LeasedRow)


def due(work: SpareWork, session: Session, *, now: datetime) -> int | None:
    """Return the id of the piece of work that has waited longest, or None."""
    number: int | None = db.value(session, work.DUE, now=now)
    return number


def leased_row(session: Session, table: type[_Row], number: int, lease: str) -> _Row | None:
    """Lock the row of a piece of work, if a worker still has this lease of it."""
    row = session.get(table, number, with_for_update=True, populate_existing=True)
    return row if row is not None and row.lease == lease else None


def question_of_best_move(game: Game, position: Position[Any], seat: Seat, seed: int) -> dict[str, Any]:
    """Return the question to rate any move of a seat, which sees its view: the answer holds the best one."""
    seen = position.view(seat)
    return {
        "game": game.key,
        "position": dump(seen),
        "seat": seat,
        "played": seen.write(seat, next(iter(seen.legal_moves(seat)))),
        "budget": budget_of(game),
        "seed": seed,
    }


WORK: dict[str, SpareWork] = {}
"""The registered work, by feature."""


def work_of(settings: Settings) -> Sequence[SpareWork]:
    """Return the work of all features that are switched on."""
    return tuple(work for feature, work in WORK.items() if settings.has_feature(feature))
