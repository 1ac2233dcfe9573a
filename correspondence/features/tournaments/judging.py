"""Judge games that still run after the last day of a league's season: spare work of the robots' processes.

Each such game waits as a row of `TournamentJudging` until a robot has searched its position. What no robot has judged
within a day is drawn.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.features.tournaments.formats.field import Pairing, Result
from correspondence.features.tournaments.tables import (
    IS_TO_JUDGE,
    Tournament,
    TournamentJudging,
    TournamentPairing,
)
from correspondence.models import Match
from correspondence.models.loading import position_of
from correspondence.robots.spare_work import leased_row, question_of_best_move
from engines import game_known
from engines.base import CHANCE

WON_FROM = 0.85
"""The expected result from which a side has won by judgement."""

JUDGED_WITHIN = timedelta(days=1)
"""Time after which a game that no robot has judged is drawn."""

LEASE = timedelta(minutes=5)
"""Duration of a lease on a game."""

AGAIN_AFTER = timedelta(seconds=10)
"""Delay before a failed search is retried."""

MOST_TRIES = 5
"""Failures after which the game is drawn."""

MOST_GIVEN_UP = 200
"""Maximum number of failed judgements reported at a time."""

DUE = (
    select(TournamentJudging.pairing_id)
    .where(IS_TO_JUDGE, col(TournamentJudging.due_at) <= bindparam("now"))
    .order_by(col(TournamentJudging.due_at), col(TournamentJudging.pairing_id))
    .limit(1)
)
"""Query: the pairing that has waited longest for its judgement, at time `now`."""


@dataclass(frozen=True, slots=True)
class LeasedJudging:
    """A game to judge, leased to this worker, with its request: what the side to move sees."""

    pairing_id: int
    lease: str
    question: dict[str, Any]

    @property
    def name(self) -> str:
        """Which game it is, for the log."""
        return f"judgement of pairing {self.pairing_id}"


def begin(session: Session, tournament: Tournament, pairings: Sequence[Pairing], *, now: datetime) -> None:
    """Let robots judge running games of a locked league. Those for which it is too late are drawn at once."""
    games = [pairing.game for pairing in pairings if pairing.game is not None]
    query = select(TournamentPairing).where(
        col(TournamentPairing.tournament_id) == tournament.id, col(TournamentPairing.match_id).in_(games)
    )
    for row in session.exec(query).all():
        waiting = session.get(TournamentJudging, row.id)
        if waiting is None:
            session.add(TournamentJudging(pairing_id=row.id, asked_at=now, due_at=now))
        elif waiting.due_at is None or waiting.asked_at + JUDGED_WITHIN <= now:
            _store(session, row, Result.DRAWN, now)
    session.flush()


def claim(session: Session, pairing_id: int, *, now: datetime) -> LeasedJudging | None:
    """Lease a game to judge; None if another worker was faster, or none can judge it, so that it is drawn."""
    row = session.get(TournamentJudging, pairing_id, with_for_update=True, populate_existing=True)
    if row is None or row.due_at is None or row.due_at > now:
        return None
    pairing = session.get_one(TournamentPairing, pairing_id, with_for_update=True)
    match = session.get_one(Match, pairing.match_id)
    if match.ended_at is not None or pairing.result is not Result.RUNNING:
        row.due_at = None
        session.add(row)
        return None
    question = _question(match)
    if question is None:
        _store(session, pairing, Result.DRAWN, now)
        return None
    row.due_at, row.lease = now + LEASE, secrets.token_hex(8)
    session.add(row)
    return LeasedJudging(pairing_id, row.lease, question)


def _question(match: Match) -> dict[str, Any] | None:
    """Return the request to rate any move: its answer holds the expected result of the best one. None for chance."""
    game, position = game_known(match.game), position_of(match)
    if game.judge is None or len(position.to_act) != 1 or position.to_act[0] == CHANCE:
        return None
    return question_of_best_move(game, position, position.to_act[0], match.id)


def keep(session: Session, leased: LeasedJudging, answer: dict[str, Any], *, now: datetime) -> bool:
    """Store a judgement if this worker still has its lease and the game still runs; return whether it had the lease."""
    row = _mine(session, leased)
    if row is None:
        return False
    pairing = session.get_one(TournamentPairing, leased.pairing_id, with_for_update=True, populate_existing=True)
    if pairing.result is Result.RUNNING and pairing.settle_at is None:
        _store(session, pairing, verdict(leased.question["seat"], answer), now)
    else:
        row.due_at = None
        session.add(row)
    return True


def verdict(seat: int, answer: dict[str, Any]) -> Result:
    """Return how a game counts by a robot's answer for the seat to move: won from 85%, else drawn."""
    if "unjudged" in answer:
        return Result.DRAWN
    first = answer["expected"] if seat == 0 else 1 - answer["expected"]
    if first >= WON_FROM:
        return Result.FIRST_WINS
    return Result.SECOND_WINS if 1 - first >= WON_FROM else Result.DRAWN


def fail(session: Session, leased: LeasedJudging, *, now: datetime) -> None:
    """Retry a search that failed; after too many failures the game is drawn."""
    row = _mine(session, leased)
    if row is None:
        return
    row.tries += 1
    if row.tries >= MOST_TRIES:
        give_up(session, leased.pairing_id, now=now)
    else:
        row.due_at, row.lease = now + AGAIN_AFTER, ""
        session.add(row)


def give_back(session: Session, leased: LeasedJudging) -> None:
    """Release a game for another worker without counting an attempt."""
    row = _mine(session, leased)
    if row is not None:
        row.due_at, row.lease = row.asked_at, ""
        session.add(row)


def give_up(session: Session, pairing_id: int, *, now: datetime) -> None:
    """Let a game that cannot be judged be drawn."""
    row = session.get(TournamentJudging, pairing_id, with_for_update=True)
    pairing = session.get_one(TournamentPairing, pairing_id, with_for_update=True)
    if row is not None:
        row.due_at, row.failed_at = None, now
        session.add(row)
    if pairing.result is Result.RUNNING and pairing.settle_at is None:
        _store(session, pairing, Result.DRAWN, now)


def given_up(session: Session, *, since: datetime) -> list[int]:
    """Return the games whose judgement failed after `since`."""
    query = select(TournamentPairing.match_id).join(
        TournamentJudging, col(TournamentJudging.pairing_id) == col(TournamentPairing.id)
    )
    query = query.where(col(TournamentJudging.failed_at) > since, col(TournamentPairing.match_id).is_not(None))
    return [number for number in session.exec(query.limit(MOST_GIVEN_UP)) if number is not None]


def _store(session: Session, pairing: TournamentPairing, result: Result, now: datetime) -> None:
    """Record the judgement, which stands for good, and let the next sweep count it."""
    pairing.result, pairing.is_judged, pairing.ended_at, pairing.settle_at = result, True, now, now
    session.add(pairing)
    row = session.get(TournamentJudging, pairing.id)
    if row is not None:
        row.due_at, row.lease = None, ""
        session.add(row)
    session.flush()


def _mine(session: Session, leased: LeasedJudging) -> TournamentJudging | None:
    return leased_row(session, TournamentJudging, leased.pairing_id, leased.lease)
