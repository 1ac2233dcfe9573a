"""The robot's moves in visitors' games: spare work of the robots' processes, done when nothing else waits."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.features.visitor_games.tables import ROBOT_IS_TO_MOVE, VisitorGame
from correspondence.features.visitor_games.visitor_games import LEVEL, add_entry, entries_of, position_of
from correspondence.robots.robot_turns import quick_move
from correspondence.robots.spare_work import leased_row
from engines.codec import dump
from engines.record import Entry

LEASE = timedelta(minutes=5)
"""Duration of a lease on a move."""

AGAIN_AFTER = timedelta(seconds=5)
"""Delay before a failed search is retried."""

MOST_TRIES = 2
"""Failed searches after which a legal move is made without a search."""

DUE = (
    select(VisitorGame.id)
    .where(ROBOT_IS_TO_MOVE, col(VisitorGame.due_at) <= bindparam("now"))
    .order_by(col(VisitorGame.due_at), col(VisitorGame.id))
    .limit(1)
)
"""Query: the visitor's game that has waited longest for a robot, at time `now`."""


@dataclass(frozen=True, slots=True)
class LeasedMove:
    """The next move of a robot in a visitor's game, leased to this worker, with its request."""

    number: int
    lease: str
    question: dict[str, Any]

    @property
    def name(self) -> str:
        """Which game it is, for the log."""
        return f"visitor's game {self.number}"


def claim(session: Session, number: int, *, now: datetime) -> LeasedMove | None:
    """Lease a robot's move; None if another worker was faster."""
    row = session.get(VisitorGame, number, with_for_update=True)
    if row is None or row.due_at is None or row.due_at > now:
        return None
    position = position_of(row)
    seat = position.to_act[0]
    row.due_at, row.lease = now + LEASE, secrets.token_hex(8)
    session.add(row)
    seed = len(entries_of(row)) + (row.id << 16)
    question = {
        "game": row.game, "position": dump(position.view(seat)), "seat": seat, "level": LEVEL, "seed": seed,
    }  # fmt: skip
    return LeasedMove(row.id, row.lease, question)


def keep(session: Session, leased: LeasedMove, answer: dict[str, Any], *, now: datetime) -> bool:
    """Play the move that was found, if this worker still has the lease; return whether it was played."""
    row = _mine(session, leased)
    if row is None:
        return False
    add_entry(session, row, Entry(leased.question["seat"], answer["move"]), now=now)
    return True


def fail(session: Session, leased: LeasedMove, *, now: datetime) -> None:
    """Retry a failed search, or make any legal move after too many failures."""
    row = _mine(session, leased)
    if row is None:
        return
    row.tries += 1
    row.due_at, row.lease = now + AGAIN_AFTER, ""
    session.add(row)
    if row.tries >= MOST_TRIES:
        seat = leased.question["seat"]
        text = quick_move(row.game, position_of(row), seat, random.Random(leased.question["seed"]))
        add_entry(session, row, Entry(seat, text), now=now)


def give_back(session: Session, leased: LeasedMove) -> None:
    """Release a move for another worker without counting an attempt."""
    row = _mine(session, leased)
    if row is not None and row.due_at is not None:
        row.due_at, row.lease = row.due_at - LEASE, ""
        session.add(row)


def give_up(session: Session, number: int, *, now: datetime) -> None:
    """Delete a game in which no move can be searched, because its game is no longer installed."""
    row = session.get(VisitorGame, number, with_for_update=True)
    if row is not None:
        session.delete(row)


def given_up(session: Session, *, since: datetime) -> list[int]:
    """Return no games: none of these has a number."""
    return []


def _mine(session: Session, leased: LeasedMove) -> VisitorGame | None:
    return leased_row(session, VisitorGame, leased.number, leased.lease)
