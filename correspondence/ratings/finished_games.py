"""Fingerprint of a person's finished games, used as a cache key of derived results.

A member's page counts hundreds of results, which rarely change between visits.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col, func

from correspondence.core import db
from correspondence.models import OperatorAct, Player

YEAR = timedelta(days=365)
"""The period in which games count for reliability."""

LATELY = timedelta(days=28)
"""The period of recent games, which have more weight."""


class FinishedGames(NamedTuple):
    """A fingerprint of a person's finished games; equal fingerprints mean equal results.

    It is computed from an index. Games are added by their end and by imports, and moved by merging accounts. Each of
    these changes the number of games, the sum of their ids or the time of the last end. Results change only by
    operators' actions. The weight of games decreases with age, so recent games are counted separately.
    """

    person_id: int
    games: int
    sum_of_ids: int | None
    last_end: datetime | None
    within_year: int
    lately: int
    last_act: int | None
    reversed_acts: int


_FIGURES = select(
    func.count(),
    func.sum(Player.match_id),
    func.max(Player.ended_at),
    func.count().filter(col(Player.ended_at) > bindparam("year")),
    func.count().filter(col(Player.ended_at) > bindparam("lately")),
    select(func.max(OperatorAct.id)).scalar_subquery(),
    select(func.count(col(OperatorAct.reversed_at))).scalar_subquery(),
).where(col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_not(None))


def finished_games(session: Session, person_id: int, *, now: datetime) -> FinishedGames:
    """Return the fingerprint of this person's finished games, cached in a read-only session."""
    times = {"year": now - YEAR, "lately": now - LATELY}
    key = (FinishedGames, person_id, now)
    found = db.cached_read(session, key, lambda: db.rows(session, _FIGURES, person=person_id, **times))
    return FinishedGames(person_id, *found[0])
