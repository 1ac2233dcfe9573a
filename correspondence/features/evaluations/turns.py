"""Evaluations as spare work of the robots' processes: the best line is searched one move at a time."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.features.evaluations.evaluations import MOVES_AHEAD, position_of
from correspondence.features.evaluations.tables import EVALUATION_IS_DUE, Evaluation
from correspondence.models import Match
from correspondence.models.loading import MatchError, game_of
from correspondence.robots.spare_work import leased_row, question_of_best_move
from engines import GAMES
from engines.base import CHANCE, MoveError, Position

LEASE = timedelta(minutes=5)
"""Duration of a lease on a move; searching it takes about a second."""

AGAIN_AFTER = timedelta(seconds=10)
"""Delay before a failed search is retried."""

MOST_TRIES = 3
"""Failures after which the line ends where it is."""

DUE = (
    select(Evaluation.id)
    .where(EVALUATION_IS_DUE, col(Evaluation.due_at) <= bindparam("now"))
    .order_by(col(Evaluation.due_at), col(Evaluation.id))
    .limit(1)
)
"""Query: the evaluation that has waited longest for a worker, at time `now`."""


@dataclass(frozen=True, slots=True)
class LeasedEvaluation:
    """The next move of an evaluation, leased to this worker, with its request."""

    number: int
    match_id: int
    lease: str
    question: dict[str, Any]

    @property
    def name(self) -> str:
        """Which game it is, for the log."""
        return f"a position of game {self.match_id}"


def claim(session: Session, number: int, *, now: datetime) -> LeasedEvaluation | None:
    """Lease the next move of an evaluation; None if another worker was faster, or the line is complete."""
    row = session.get(Evaluation, number, with_for_update=True)
    if row is None or row.due_at is None or row.due_at > now:
        return None
    match = session.get_one(Match, row.match_id)
    position = _next_position(session, match, row)
    if position is None:
        _end(session, row)
        return None
    seat = position.to_act[0]
    row.due_at, row.lease = now + LEASE, secrets.token_hex(8)
    session.add(row)
    question = question_of_best_move(game_of(match), position, seat, row.ply + len(row.found))
    return LeasedEvaluation(number, match.id, row.lease, question)


def _next_position(session: Session, match: Match, row: Evaluation) -> Position[Any] | None:
    """Return the position to search next; None if the line ends here."""
    if match.ended_at is None or match.game not in GAMES or len(json.loads(row.found)) >= MOVES_AHEAD:
        return None
    try:
        position = position_of(session, match, row)
    except (MoveError, MatchError):
        return None
    is_turn = position.outcome is None and len(position.to_act) == 1 and position.to_act[0] != CHANCE
    return position if is_turn else None


def keep(session: Session, leased: LeasedEvaluation, answer: dict[str, Any], *, now: datetime) -> bool:
    """Add the best move to the line, if this worker still has the lease; return whether it was added."""
    row = _mine(session, leased)
    if row is None:
        return False
    if "unjudged" in answer:
        _end(session, row)
        return True
    found = [*json.loads(row.found), [leased.question["seat"], answer["best"], answer["expected"]]]
    row.found, row.due_at, row.lease, row.tries = json.dumps(found), row.asked_at, "", 0
    session.add(row)
    if len(found) >= MOVES_AHEAD:
        _end(session, row)
    return True


def fail(session: Session, leased: LeasedEvaluation, *, now: datetime) -> None:
    """Retry a failed search, or end the line after too many failures."""
    row = _mine(session, leased)
    if row is None:
        return
    row.tries, row.due_at, row.lease = row.tries + 1, now + AGAIN_AFTER, ""
    session.add(row)
    if row.tries >= MOST_TRIES:
        _end(session, row)


def give_back(session: Session, leased: LeasedEvaluation) -> None:
    """Release a move for another worker without counting an attempt."""
    row = _mine(session, leased)
    if row is not None:
        row.due_at, row.lease = row.asked_at, ""
        session.add(row)


def give_up(session: Session, number: int, *, now: datetime) -> None:
    """End an evaluation that cannot be made."""
    row = session.get(Evaluation, number, with_for_update=True)
    if row is not None:
        _end(session, row)


def given_up(session: Session, *, since: datetime) -> list[int]:
    """Return no games: a member asks again for an evaluation that failed."""
    return []


def _mine(session: Session, leased: LeasedEvaluation) -> Evaluation | None:
    return leased_row(session, Evaluation, leased.number, leased.lease)


def _end(session: Session, row: Evaluation) -> None:
    row.due_at, row.lease = None, ""
    session.add(row)
    session.flush()
