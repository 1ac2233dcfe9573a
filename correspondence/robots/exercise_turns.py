"""Search finished games for exercises while robots have nothing else to do.

One worker leases one position at a time and searches it in a process, in the order in which the games ended. The
`ExerciseSearch` row stores the progress, so no game is searched twice and an interruption loses one position.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, or_
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import PLAYING, ExerciseSearch, ImportedRecord, Match
from correspondence.play import exercises
from engines import GAMES

LEASE = timedelta(minutes=5)
"""The length of a lease of a position; a search takes a second or two."""

NEXT_LOOK = timedelta(minutes=10)
"""The pause once all finished games are searched."""

QUIET = timedelta(hours=1)
"""The wait after a game's end, because players may still look at it, and clocks differ."""

LOOKED_AT = 12
"""Number of final positions searched per game."""

MOST_MOVES = 3
"""Maximum number of the solver's moves to win an exercise."""

MOST_TRIES = 3
"""Maximum failed searches of a position before it is skipped."""

BATCH = 200
"""Maximum games skipped at a time."""

RESTS = select(ExerciseSearch.id).where(col(ExerciseSearch.due_at) > bindparam("now"))
"""SQL condition: the search pauses at time `now`."""


@dataclass(frozen=True, slots=True)
class LeasedSearch:
    """A leased position, and the request to the search process: the view of the seat to move."""

    match_id: int
    ply: int
    lease: str
    question: dict[str, Any]


def claim(session: Session, budget: int, *, now: datetime) -> LeasedSearch | None:
    """Lease the next position to search with this budget.

    None if another worker was faster, or no position is left.
    """
    row = _row(session, now)
    if row.due_at > now:
        return None
    for _game in range(BATCH):
        match = session.get(Match, row.match_id) if row.ply >= 0 else _next_match(session, row, now)
        if match is None:
            row.due_at = now + NEXT_LOOK
            break
        question = _next_question(session, row, match, budget)
        if question is not None:
            row.due_at, row.lease = now + LEASE, secrets.token_hex(8)
            session.add(row)
            return LeasedSearch(match.id, row.ply, row.lease, question)
        row.ply = -1
    session.add(row)
    return None


def keep(session: Session, leased: LeasedSearch, answer: dict[str, Any], *, now: datetime) -> bool:
    """Store the result for a position if this worker still has its lease; return whether stored.

    Each game yields at most one exercise.
    """
    row = _mine(session, leased)
    if row is None:
        return False
    if answer["exercise"] is not None:
        exercises.add(session, leased.match_id, leased.ply, leased.question["position"], answer["exercise"], now=now)
        row.ply = -1
    else:
        row.ply -= 1
    _release(session, row, now)
    return True


def fail(session: Session, leased: LeasedSearch, *, now: datetime) -> None:
    """Retry a position whose search failed, or skip it after too many failures."""
    row = _mine(session, leased)
    if row is None:
        return
    is_given_up = row.tries + 1 >= MOST_TRIES
    row.ply -= int(is_given_up)
    _release(session, row, now, 0 if is_given_up else row.tries + 1)


def give_back(session: Session, leased: LeasedSearch, *, now: datetime) -> None:
    """Release a position for another worker without counting an attempt."""
    row = _mine(session, leased)
    if row is not None:
        _release(session, row, now)


def _row(session: Session, now: datetime) -> ExerciseSearch:
    if session.get(ExerciseSearch, 1) is None:
        db.add_unless_there(session, ExerciseSearch(id=1, due_at=now))
    return session.get_one(ExerciseSearch, 1, with_for_update=True, populate_existing=True)


def _next_match(session: Session, row: ExerciseSearch, now: datetime) -> Match | None:
    """Advance to the next finished game; None if there is none."""
    query = select(Match).where(col(Match.ended_at) <= now - QUIET)
    if row.ended_at is not None:
        later = and_(col(Match.ended_at) == row.ended_at, col(Match.id) > row.match_id)
        query = query.where(col(Match.ended_at) >= row.ended_at, or_(col(Match.ended_at) > row.ended_at, later))
    match = session.exec(query.order_by(col(Match.ended_at), col(Match.id)).limit(1)).first()
    if match is not None:
        row.ended_at, row.match_id, row.tries = match.ended_at, match.id, 0
        row.ply = match.ply if _is_fit(session, match) else -1
    return match


def _is_fit(session: Session, match: Match) -> bool:
    """Whether a two-player game was played to its end here, with installed rules."""
    game = GAMES.get(match.game)
    if game is None or len(game.seats) < 2 or match.result == PLAYING or game.version != match.version:
        return False
    return match.daily is None and session.get(ImportedRecord, match.id) is None


def _next_question(session: Session, row: ExerciseSearch, match: Match, budget: int) -> dict[str, Any] | None:
    """Return the request for the game's next position with one seat to move, or None."""
    while row.ply >= 0 and row.ply > match.ply - 1 - LOOKED_AT:
        found = exercises.candidate(session, match, row.ply)
        if found is not None:
            return {
                "game": match.game, "position": found.position, "seat": found.seat, "played": found.played,
                "most_moves": MOST_MOVES, "budget": budget, "seed": row.ply,
            }  # fmt: skip
        row.ply -= 1
    return None


def _mine(session: Session, leased: LeasedSearch) -> ExerciseSearch | None:
    row = session.get(ExerciseSearch, 1, with_for_update=True, populate_existing=True)
    return row if row is not None and row.lease == leased.lease else None


def _release(session: Session, row: ExerciseSearch, now: datetime, tries: int = 0) -> None:
    row.due_at, row.lease, row.tries = now, "", tries
    session.add(row)
    session.flush()
