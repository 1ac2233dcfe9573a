"""The sweep of tournaments: those with an ended game to count, or a day that has come."""

from __future__ import annotations

import random
from datetime import datetime

from sqlalchemy import bindparam, or_
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.runtime import Runtime
from correspondence.features.tournaments import ladders, leagues, running, settling
from correspondence.features.tournaments.tables import (
    IS_TO_SETTLE,
    IS_WAITING,
    Format,
    Tournament,
    TournamentPairing,
    TournamentState,
)
from correspondence.features.tournaments.tournaments import locked
from correspondence.ops.due_rows import BATCH, handle_row

_WAITING = select(Tournament.id).where(IS_WAITING, col(Tournament.due_at) <= bindparam("now"))
_ENDED = select(TournamentPairing.tournament_id).where(IS_TO_SETTLE)

IS_DUE = or_(_WAITING.exists(), _ENDED.exists())
"""Whether a tournament has something due `now`."""


def sweep(runtime: Runtime) -> int:
    """Handle tournaments with something due, each in its own transaction; returns how many."""
    now = runtime.now()
    with db.reading(runtime.engine) as session:
        found = [
            *db.rows(session, _WAITING.limit(BATCH), now=now),
            *db.rows(session, _ENDED.distinct().limit(BATCH)),
        ]
    numbers = sorted({number for (number,) in found})
    for number in numbers:
        handle_row(runtime, number, lambda session, one: handle(session, one, now=now, rng=runtime.rng), "tournament")
    return len(numbers)


def handle(session: Session, number: int, *, now: datetime, rng: random.Random) -> None:
    """Do what is due in one tournament; nothing if another worker has done it."""
    tournament = locked(session, number)
    if tournament.format is Format.LADDER:
        ladders.handle(session, tournament, now=now)
        return
    if tournament.format is Format.LEAGUE:
        leagues.handle(session, tournament, now=now, rng=rng)
        return
    counted = settling.settle(session, tournament, now=now)
    is_due = tournament.due_at is not None and tournament.due_at <= now
    if tournament.state is TournamentState.OPEN and is_due:
        running.begin(session, tournament, now=now, rng=rng)
    elif tournament.state is TournamentState.RUNNING and (counted or is_due):
        running.drop_who_left(session, tournament, now=now)
        running.advance(session, tournament, now=now, rng=rng)
