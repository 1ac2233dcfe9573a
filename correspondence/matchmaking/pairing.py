"""Pairing: everybody who has asked to be paired gets the best available partner.

Seeks are vertices of a graph, each joined to its nearest partners (`seek_columns`); rustworkx finds the matching.
Nobody waits while a suitable partner waits too. The result is only a plan: each pair starts in its own transaction,
which locks both seeks and checks them again.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.matchmaking.agreements import PairableSeek, agreement, pace_of
from correspondence.matchmaking.candidates import Candidate, candidate_of, candidates_of, tempos
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
]

MOST_AT_A_TIME = 5_000
"""Maximum number of seeks of one game in a round, longest waiting first.

The seeks left after a round fit no other seek that is left, so only this many seeks without a partner could block
others.
"""

NEAREST = 30
"""Number of nearest partners of each seek that are considered."""

LARGE, NEAREST_IN_LARGE, STEP_IN_LARGE = 1_000, 12, 20
"""Above `LARGE` seeks: number of nearest partners, and step of the weights.

Fewer partners and coarser weights keep a round within seconds.
"""

BATCH = 500
"""Number of seekers per query."""


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two seeks to pair: their ids, and their `games_begun` when the pair was planned."""

    one: int
    other: int
    one_begun: int
    other_begun: int


def pairable_seeks(session: Session, game: str, *, now: datetime) -> list[PairableSeek]:
    """Return the open seeks of a game and their available seekers, longest waiting first."""
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
    """Return the candidates of these persons in a game, with tempo, by id."""
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


def plan_pairs(waiting: Sequence[PairableSeek], *, now: datetime) -> list[PlannedPair]:
    """Return the best pairs of these seeks; no two pairs join the same two persons. Pure.

    Seeks left over are planned again until no two of them fit. A partner may be missing from a seek's nearest ones, and
    of two pairs that join the same persons one is dropped.
    """
    planned: list[tuple[PairableSeek, PairableSeek]] = []
    joined: set[frozenset[int]] = set()
    rest = list(waiting)
    while len(rest) > 1 and (pairs := _heaviest_pairs(rest, joined, now)):
        taken: set[int] = set()
        for one, other in pairs:
            persons = frozenset((rest[one].candidate.id, rest[other].candidate.id))
            if persons not in joined:
                joined.add(persons)
                taken |= {one, other}
                planned.append((rest[one], rest[other]))
        rest = [seek for place, seek in enumerate(rest) if place not in taken]
    return sorted((_planned(one, other) for one, other in planned), key=lambda pair: (pair.one, pair.other))


def _heaviest_pairs(
    waiting: Sequence[PairableSeek], apart: Collection[frozenset[int]], now: datetime
) -> list[tuple[int, int]]:
    """Return the maximum-weight matching, of maximum cardinality, of nearest partners."""
    import rustworkx as rx  # lazy: 25 MB with numpy

    from correspondence.matchmaking.seek_columns import SeekColumns

    columns = SeekColumns(waiting, apart, now=now)
    most, step = (NEAREST, 1) if len(waiting) <= LARGE else (NEAREST_IN_LARGE, STEP_IN_LARGE)
    weights = {
        (min(place, other), max(place, other)): weight // step
        for place in range(len(waiting))
        for other, weight in columns.best(place, most)
    }
    graph: rx.PyGraph[None, int] = rx.PyGraph()
    graph.add_nodes_from([None] * len(waiting))
    graph.add_edges_from([(*pair, weight) for pair, weight in weights.items()])
    return sorted(rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def _planned(*both: PairableSeek) -> PlannedPair:
    one, other = sorted((waiting.seek for waiting in both), key=lambda seek: seek.id)
    return PlannedPair(one.id, other.id, one.games_begun, other.games_begun)


def pair(session: Session, planned: PlannedPair, *, now: datetime, rng: random.Random) -> Match | None:
    """Start the game of two seeks; None if either has changed since, or they no longer fit."""
    one, other = locked(session, planned.one), locked(session, planned.other)  # lower id first, against deadlocks
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
