"""Second opinions on games: rate and store them move by move.

Each move is leased by one worker and rated in a process.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.features.reviews import letters
from correspondence.features.reviews.tables import REVIEW_IS_DUE, Review, ReviewState
from correspondence.models import Match
from correspondence.play.viewer_games import viewer_game_of
from correspondence.robots.spare_work import leased_row
from engines import GAMES
from engines.base import CHANCE
from engines.codec import dump

LEASE = timedelta(minutes=5)
"""Duration of a lease on a move; rating it takes about a second."""

AGAIN_AFTER = timedelta(seconds=10)
"""Delay before a failed move is retried."""

MOST_TRIES = 5
"""Failures after which a second opinion is given up."""

MOST_GIVEN_UP = 200
"""Maximum number of failed second opinions reported at a time."""


DUE = (
    select(Review.match_id)
    .where(REVIEW_IS_DUE, col(Review.due_at) <= bindparam("now"))
    .order_by(col(Review.due_at), col(Review.match_id))
    .limit(1)
)
"""Query: the match whose second opinion has waited longest, at time `now`."""


@dataclass(frozen=True, slots=True)
class LeasedReview:
    """The next move of a second opinion, leased to this worker, with its request.

    The request holds only what the mover could see of the position, so hidden information cannot count against the
    mover.
    """

    match_id: int
    ply: int
    lease: str
    tries: int
    question: dict[str, Any]

    @property
    def name(self) -> str:
        """Which move it is, for the log."""
        return f"move {self.ply + 1} of game {self.match_id}"


def claim(session: Session, match_id: int, *, now: datetime) -> LeasedReview | None:
    """Lease the next move of a match's second opinion.

    None if another worker was faster, or all moves are rated.
    """
    row = session.get(Review, match_id, with_for_update=True)
    if row is None or row.due_at is None or row.due_at > now:
        return None
    match = session.get_one(Match, row.match_id)
    if match.ended_at is None or match.game not in GAMES:
        _end(session, row, ReviewState.FAILED, now)
        return None
    course = viewer_game_of(session, match)
    entries = course.entries
    found = json.loads(row.judgements)
    if len(found) >= len(entries):
        _end(session, row, ReviewState.DONE, now)
        return None
    row.state, row.due_at, row.lease = ReviewState.RUNNING, now + LEASE, secrets.token_hex(8)
    session.add(row)
    entry, position = entries[len(found)], course.at(len(found))
    question = {
        "game": match.game,
        "position": dump(position.view(None if entry.seat == CHANCE else entry.seat)),
        "seat": entry.seat,
        "played": entry.text,
        "budget": row.budget,
        "seed": len(found),
    }
    return LeasedReview(match.id, len(found), row.lease, row.tries, question)


def keep(session: Session, leased: LeasedReview, answer: dict[str, Any], *, now: datetime) -> bool:
    """Store the rating of a move if this worker still has its lease; return whether stored."""
    row = _mine(session, leased)
    if row is None:
        return False
    found = json.loads(row.judgements)
    found.append(None if "unjudged" in answer else [answer["best"], answer["expected"], answer["played"]])
    row.judgements = json.dumps(found)
    match = session.get_one(Match, row.match_id)
    if len(found) >= match.ply:
        _end(session, row, ReviewState.DONE, now)
    else:
        _release(session, row, row.asked_at)
    return True


def fail(session: Session, leased: LeasedReview, *, now: datetime) -> None:
    """Retry a move whose rating failed, or give up after too many failures."""
    row = _mine(session, leased)
    if row is None:
        return
    row.tries += 1
    if row.tries >= MOST_TRIES:
        _end(session, row, ReviewState.FAILED, now)
    else:
        _release(session, row, now + AGAIN_AFTER)


def given_up(session: Session, *, since: datetime) -> list[int]:
    """Return the ids of games whose second opinions failed after `since`, not requested again."""
    query = select(Review.match_id).where(col(Review.state) == ReviewState.FAILED, col(Review.done_at) > since)
    return list(session.exec(query.order_by(col(Review.match_id)).limit(MOST_GIVEN_UP)))


def give_back(session: Session, leased: LeasedReview) -> None:
    """Release a move for another worker without counting an attempt."""
    row = _mine(session, leased)
    if row is not None:
        _release(session, row, row.asked_at)


def give_up(session: Session, match_id: int, *, now: datetime) -> None:
    """Mark a second opinion as failed if it cannot be computed."""
    row = session.get(Review, match_id, with_for_update=True)
    if row is not None:
        _end(session, row, ReviewState.FAILED, now)


def _mine(session: Session, leased: LeasedReview) -> Review | None:
    return leased_row(session, Review, leased.match_id, leased.lease)


def _release(session: Session, row: Review, due_at: datetime) -> None:
    row.due_at, row.lease = due_at, ""
    session.add(row)
    session.flush()


def _end(session: Session, row: Review, state: ReviewState, now: datetime) -> None:
    row.state, row.due_at, row.lease, row.done_at = state, None, "", now
    session.add(row)
    session.flush()
    letters.tell_readers(session, session.get_one(Match, row.match_id), now=now)
