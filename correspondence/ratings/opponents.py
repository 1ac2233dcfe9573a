"""Facts about opponents for lists: ratings, reliability, and usual response time.

A whole list takes three queries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from statistics import median_low
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam
from sqlalchemy import select as columns_of
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from correspondence.core import db
from correspondence.models import By, Match, Move, Player, Rating
from correspondence.ratings.reliability import reliabilities
from engines import GAMES

LATELY = timedelta(days=60)
"""The period in which answers count."""

COUNTED = 40
"""Maximum number of answers counted per person."""

ENOUGH = 10
"""Minimum number of answers for a response time."""


@dataclass(frozen=True, slots=True)
class OpponentFacts:
    """Facts about a person as an opponent.

    `ratings` maps keys of games to texts, with a question mark if provisional. `reliability` (percent) and `answers_in`
    are None if there is too little data.
    """

    ratings: Mapping[str, str]
    reliability: int | None
    answers_in: timedelta | None


def opponent_facts(session: Session, person_ids: Collection[int], *, now: datetime) -> dict[int, OpponentFacts]:
    """Return the facts about each of these persons."""
    rated, soon = _ratings(session, person_ids, now), usual_answers(session, person_ids, now=now)
    reliable = reliabilities(session, person_ids, now=now)
    return {one: OpponentFacts(rated[one], reliable[one].percent, soon.get(one)) for one in person_ids}


def _ratings(session: Session, person_ids: Collection[int], now: datetime) -> dict[int, dict[str, str]]:
    rated: dict[int, dict[str, str]] = {person_id: {} for person_id in person_ids}
    for row in session.exec(select(Rating).where(col(Rating.person_id).in_(person_ids))):
        mark = "?" if row.established_until < now else ""
        rated[row.person_id][row.game] = f"{round(row.rating)}{mark}"
    return rated


def usual_answers(session: Session, person_ids: Collection[int], *, now: datetime) -> dict[int, timedelta]:
    """Return the usual response time of each person with enough recent answers.

    It is the median of the calendar time, nights included, between a move and the answer, as an opponent waits for it.
    Only moves sent by page or mail count, not those of conditional plans, postcards or imported games.
    """
    times = defaultdict[int, list[timedelta]](list)
    for person_id, at, before, spent in db.rows(session, _answers(), persons=list(person_ids), since=now - LATELY):
        times[person_id].append(max(at - before, timedelta(seconds=spent)))
    return {person_id: median_low(those) for person_id, those in times.items() if len(those) >= ENOUGH}


@cache
def _answers() -> Select[Any]:
    """Return the query of these persons' last answers, the moves answered, and the times."""
    before = aliased(Move)
    since: BindParameter[datetime] = bindparam("since")
    found = (
        columns_of(
            col(Player.person_id).label("person"),
            col(Move.at).label("at"),
            col(before.at).label("asked"),
            col(Move.spent).label("spent"),
            func.row_number().over(partition_by=col(Player.person_id), order_by=col(Move.at).desc()).label("nth"),
        )
        .join(Match, col(Match.id) == col(Player.match_id))
        .join(Move, (col(Move.match_id) == col(Player.match_id)) & (col(Move.seat) == col(Player.seat)))
        .join(before, (col(before.match_id) == col(Move.match_id)) & (col(before.ply) == col(Move.ply) - 1))
        .where(
            col(Player.person_id).in_(bindparam("persons", expanding=True)),
            or_(col(Player.ended_at).is_(None), col(Player.ended_at) > since),
            col(Match.game).in_([key for key, game in GAMES.items() if len(game.seats) > 1]),
            col(Move.by).in_([By.WEB, By.MAIL, By.API]),
            col(Move.bank).is_not(None),
            col(Move.at) > since,
            col(before.seat) != col(Move.seat),
        )
        .subquery()
        .c
    )
    return columns_of(found.person, found.at, found.asked, found.spent).where(found.nth <= COUNTED)
