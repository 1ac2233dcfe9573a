"""Matches of games that are not installed at the moment: their clocks stand still until the games are back.

Nobody can move in such a match, so nobody may lose it on time. When a worker first meets one, it notes the moment as
a stop of no length and looks at the match no more; when the game is back, the stop is given its end, and all
deadlines of the match are reckoned anew.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from correspondence.clocks import turns
from correspondence.core.db import reading, transaction
from correspondence.models import Cause, ClockStop, Match
from correspondence.models.loading import locked
from engines import GAMES

BATCH = 500
"""How many matches are looked at together."""

_MARKS = select(ClockStop).where(col(ClockStop.player_id).is_(None), col(ClockStop.begins_at) == col(ClockStop.ends_at))


def sweep(engine: Engine, *, now: datetime) -> None:
    """Stop the clocks of matches whose games have gone, and let those run again whose games are back."""
    with reading(engine) as session:
        gone = select(Match.id).where(col(Match.deadline).is_not(None), col(Match.game).not_in(list(GAMES)))
        stopped = list(session.exec(gone.limit(BATCH)))
        marked = _MARKS.join(Match, col(Match.id) == col(ClockStop.match_id)).where(col(Match.deadline).is_(None))
        back = [
            clock_stop.match_id
            for clock_stop in session.exec(marked.where(col(Match.game).in_(list(GAMES))).limit(BATCH))
        ]
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
