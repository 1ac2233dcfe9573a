"""Stop the clocks in matches whose game is not installed, until the game is installed again.

Nobody can move in such a match, so nobody may lose it on time. When a worker first finds such a match, it adds a stop
of zero length (a mark) and clears the deadline, so that the match is not found again. When the game is installed again,
the stop gets its end, and all deadlines of the match are recomputed.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, bindparam
from sqlmodel import Session, col, func, select

from correspondence.clocks import turns
from correspondence.core.db import reading, transaction
from correspondence.models import Cause, ClockStop, Match
from correspondence.models.loading import locked
from correspondence.models.matches import MATCH_HAS_CLOCK
from correspondence.models.time import STOP_IS_MARK
from engines import GAMES

BATCH = 500
"""Maximum number of matches per sweep."""

_MARKS = select(ClockStop).where(STOP_IS_MARK)

_FIRST_GAME = select(func.min(Match.game)).where(MATCH_HAS_CLOCK)
_PLAYED = select(_FIRST_GAME.scalar_subquery().label("game")).cte("played", recursive=True)
_PLAYED = _PLAYED.union_all(
    select(_FIRST_GAME.where(col(Match.game) > _PLAYED.c.game).scalar_subquery()).where(_PLAYED.c.game.is_not(None))
)
_GAMES_PLAYED = select(_PLAYED.c.game).where(_PLAYED.c.game.is_not(None))
"""Query: the distinct games with running clocks.

A recursive query jumps from game to game in the index, so its cost does not grow with the number of matches.
"""

GONE = _GAMES_PLAYED.where(_PLAYED.c.game.not_in(bindparam("games", expanding=True)))
"""Query: the games with running clocks that are not among the installed `games`."""

_GAME_OF_MARK = (
    select(Match.game)
    .where(col(Match.id) == col(ClockStop.match_id), col(Match.deadline).is_(None))
    .correlate(ClockStop)
    .scalar_subquery()
)
"""Subquery: the game of a marked match.

There are few marks; a join would start with all matches.
"""

BACK = _MARKS.where(_GAME_OF_MARK.in_(bindparam("games", expanding=True)))
"""Query: the marks of matches whose game is among the installed `games` again."""


def sweep(engine: Engine, *, now: datetime) -> None:
    """Stop the clocks in matches of missing games; restart them if the game is installed again."""
    with reading(engine) as session:
        gone = list(session.scalars(GONE, {"games": list(GAMES)}))
        clocked = select(Match.id).where(MATCH_HAS_CLOCK, col(Match.game).in_(gone)).limit(BATCH)
        stopped = list(session.exec(clocked)) if gone else []
        back = [stop.match_id for stop in session.exec(BACK.limit(BATCH), params={"games": list(GAMES)})]
    for number in stopped:
        with transaction(engine) as session:
            _stop(session, number, now)
    for number in dict.fromkeys(back):
        with transaction(engine) as session:
            _go_on(session, number, now)


def _stop(session: Session, number: int, now: datetime) -> None:
    match = locked(session, number)
    if _mark_of(session, number) is None:
        session.add(ClockStop(match_id=number, cause=Cause.PAUSE, begins_at=now, ends_at=now))
    match.deadline = match.remind_at = None
    session.add(match)


def _go_on(session: Session, number: int, now: datetime) -> None:
    locked(session, number)
    mark = _mark_of(session, number)
    if mark is None:
        return
    mark.ends_at = now
    session.add(mark)
    session.flush()
    turns.retime_match(session, number, now=now)


def _mark_of(session: Session, number: int) -> ClockStop | None:
    return session.exec(_MARKS.where(col(ClockStop.match_id) == number)).first()
