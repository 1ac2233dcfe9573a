"""Pairing: everybody who has asked to be paired gets the best available partner.

The weights depend on what two seeks have in common and on what is known of their people (`agreements.weight`). Every
pair that may play has a positive weight, so nobody waits while a suitable partner waits too; `pair_plan` says how pairs
are chosen. The result is only a plan: each pair is made in a transaction of its own that locks both seeks and checks
them again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.matchmaking.agreements import PairableSeek, agreement, pace_of, weight
from correspondence.matchmaking.candidates import Candidate, candidate_of, candidates_of, tempos
from correspondence.matchmaking.pair_plan import WORK, planned_pairs
from correspondence.matchmaking.seeks import begin, counts_in_play, in_play, is_past, locked
from correspondence.models import Match, Person, Seek, SeekState
from correspondence.models.locks import hold
from correspondence.models.matchmaking import OLDEST_FIRST

__all__ = [
    "MOST_AT_A_TIME",
    "PairableSeek",
    "PlannedPair",
    "agreement",
    "pace_of",
    "pair",
    "pairable_seeks",
    "plan_pairs",
    "weight",
]

MOST_AT_A_TIME = 20_000
"""How many seeks of one game one round considers, those that have waited longest first.

The seeks left after a round fit no other seek that is left. Only this many seeks without a partner could therefore hold
up others.
"""

BATCH = 500
"""Of how many seekers the database is asked at once."""


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two seeks to be paired: their ids, and how many games each had led to when the pair was planned."""

    one: int
    other: int
    one_begun: int
    other_begun: int


def pairable_seeks(session: Session, game: str, *, now: datetime) -> list[PairableSeek]:
    """The open, unexpired seeks of a game with their seekers, those that have waited longest first."""
    query = (
        select(Seek, Person)
        .join(Person, col(Person.id) == col(Seek.person_id))
        .where(
            col(Seek.game) == game,
            col(Seek.state) == SeekState.OPEN,
            col(Seek.opponent_id).is_(None),
            col(Seek.is_private).is_(False),
        )
        .order_by(*OLDEST_FIRST)
    )
    found = [row for row in session.exec(query.limit(MOST_AT_A_TIME)) if not is_past(row[0], now)]
    playing = counts_in_play(session, [seek for seek, _person in found])
    waiting = [row for row in found if not row[0].games_at_once or playing[row[0].id] < row[0].games_at_once]
    candidates = _candidates(session, {person.id: person for _seek, person in waiting}, game, now)
    return [
        PairableSeek(seek, candidates[person.id], playing[seek.id])
        for seek, person in waiting
        if _can_play(candidates[person.id])
    ]


def _candidates(session: Session, persons: dict[int, Person], game: str, now: datetime) -> dict[int, Candidate]:
    """The facts about these persons as opponents in a game, by their ids."""
    candidates: dict[int, Candidate] = {}
    everybody = list(persons.values())
    for first in range(0, len(everybody), BATCH):
        some = everybody[first : first + BATCH]
        known = candidates_of(session, [(person, game) for person in some], now=now)
        tempo_of = tempos(session, [person.id for person in some])
        candidates |= {number: replace(fact, tempo=tempo_of.get(number)) for (number, _game), fact in known.items()}
    return candidates


def _can_play(candidate: Candidate) -> bool:
    return not (candidate.game_limit_reason or candidate.has_left or candidate.away_until)


def plan_pairs(waiting: Sequence[PairableSeek], *, now: datetime, work: int = WORK) -> list[PlannedPair]:
    """The pairs to be made among these seeks; no two pairs join the same two persons. Pure.

    Where the best plan joins two persons twice, one of the pairs is given up and the seeks left over are planned again.
    `work` is what may be spent on the greatest weight, as `pair_plan.WORK` says.
    """
    planned: list[tuple[PairableSeek, PairableSeek]] = []
    joined: set[frozenset[int]] = set()
    rest = list(waiting)
    while pairs := planned_pairs(rest, joined, now=now, work=work):
        taken: set[int] = set()
        for one, other in sorted(pairs):
            persons = frozenset((rest[one].candidate.id, rest[other].candidate.id))
            if persons not in joined:
                joined.add(persons)
                taken |= {one, other}
                planned.append((rest[one], rest[other]))
        if len(taken) == 2 * len(pairs):
            break
        rest = [seek for place, seek in enumerate(rest) if place not in taken]
    return sorted((_planned(one, other) for one, other in planned), key=lambda pair: (pair.one, pair.other))


def _planned(*both: PairableSeek) -> PlannedPair:
    one, other = sorted((waiting.seek for waiting in both), key=lambda seek: seek.id)
    return PlannedPair(one.id, other.id, one.games_begun, other.games_begun)


def pair(session: Session, planned: PlannedPair, *, now: datetime, rng: random.Random) -> Match | None:
    """Start the game of two seeks; None where either has changed since, or they no longer fit."""
    one, other = locked(session, planned.one), locked(session, planned.other)  # the lower id first: no deadlock
    if one is None or other is None or (one.games_begun, other.games_begun) != (planned.one_begun, planned.other_begun):
        return None
    hold(session, persons=[one.person_id, other.person_id])
    persons = [session.get_one(Person, seek.person_id) for seek in (one, other)]
    candidates = [candidate_of(session, person, one.game, now=now) for person in persons]
    mine, theirs = (
        PairableSeek(seek, candidate, in_play(session, seek))
        for seek, candidate in zip((one, other), candidates, strict=True)
    )
    agreed = agreement(mine, theirs, now=now)
    if agreed is None:
        return None
    return begin(session, agreed, persons[0], persons[1], [one, other], now=now, rng=rng)
