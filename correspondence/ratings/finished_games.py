"""All finished games of a person, known by a few figures: what follows from them is worked out when these have changed.

Hundreds of results are counted for the page of a member, and hardly ever is one of them another than the last time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col, func

from correspondence.core import db
from correspondence.models import OperatorAct, Player

YEAR = timedelta(days=365)
"""How far back games count for reliability."""

LATELY = timedelta(days=28)
"""Games that ended within this time weigh more there."""


class FinishedGames(NamedTuple):
    """The finished games of a person as an index knows them; where two are equal, all that follows from these games is too.

    Games are added by their end and by imports, and moved by the merging of accounts: so their number, the sum of
    their numbers and the last end are others. Results change by acts of operators alone. Time makes games count less.
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
    """The figures of this person's finished games; a session that only looks asks once."""
    times = {"year": now - YEAR, "lately": now - LATELY}
    key = (FinishedGames, person_id, now)
    found = db.cached_read(session, key, lambda: db.rows(session, _FIGURES, person=person_id, **times))
    return FinishedGames(person_id, *found[0])
