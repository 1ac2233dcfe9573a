"""Pairing: everybody who has asked to be paired gets the best available partner, by maximum-weight matching.

The weights depend on what two seeks have in common and on what is known of their people. Every pair that may play has a
positive weight, so nobody waits while a suitable partner waits too (Edmonds, “Maximum matching and a polyhedron with
0,1-vertices”, 1965, as implemented in networkx). The result is only a plan: each pair is made in a transaction of its
own that locks both seeks and checks them again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from math import log2

from sqlmodel import Session, col, select

from correspondence.core.time_control import TimeControl
from correspondence.matchmaking.candidates import Candidate, candidate_of
from correspondence.matchmaking.eligibility import is_eligible
from correspondence.matchmaking.seeks import begin, equal_terms, in_play, is_past, locked, seats_fit
from correspondence.matchmaking.start import Agreement
from correspondence.models import Match, Person, Seek, SeekState

MOST_AT_A_TIME = 400
"""How many seeks of one game one round considers, those that have waited longest first.

The seeks left after a round fit no other seek that is left. Only this many seeks without a partner could therefore hold
up others.
"""

PACE_RATIO = 2.0
"""By what factor a partner's pace may differ for a person who asked to be paired."""

MOVES_OF_A_BANK = 30
"""Over how many moves a bank is assumed to be spent."""

BASE_WEIGHT = 6_000
"""The base weight of any pair; deductions stay below a third of it, so two pairs outweigh one better pair."""

LONGEST_WAIT = timedelta(days=14)
FRESH_AFTER = timedelta(days=180)
"""After this time an earlier opponent counts as a new one."""


@dataclass(frozen=True, slots=True)
class PairableSeek:
    """An open seek and its seeker, as they were when the plan was made."""

    seek: Seek
    candidate: Candidate
    in_play: int = 0


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
        .order_by(col(Seek.id))
    )
    candidates: dict[int, Candidate] = {}
    seeks: list[PairableSeek] = []
    for seek, person in session.exec(query):
        playing = in_play(session, seek)
        if is_past(seek, now) or (seek.games_at_once and playing >= seek.games_at_once):
            continue
        if person.id not in candidates:
            candidates[person.id] = candidate_of(session, person, game, now=now)
        if _can_play(candidates[person.id]):
            seeks.append(PairableSeek(seek, candidates[person.id], playing))
        if len(seeks) == MOST_AT_A_TIME:
            break
    return seeks


def _can_play(candidate: Candidate) -> bool:
    return not (candidate.game_limit_reason or candidate.has_left or candidate.away_until)


def plan_pairs(waiting: Sequence[PairableSeek], *, now: datetime) -> list[PlannedPair]:
    """The pairs to be made among these seeks; no two pairs join the same two persons. Pure."""
    import networkx as nx  # most processes never pair, and all would wait for it

    graph = nx.Graph()
    for one, other in combinations(waiting, 2):
        pair_weight = weight(one, other, now=now)
        if pair_weight is not None:
            graph.add_edge(one.seek.id, other.seek.id, weight=pair_weight)
    by_number = {seek.seek.id: seek for seek in waiting}
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = sorted(tuple(sorted(pair)) for pair in matched)
    return list(_once_a_pair((by_number[one], by_number[other]) for one, other in pairs))


def _once_a_pair(pairs: Iterable[tuple[PairableSeek, PairableSeek]]) -> Iterable[PlannedPair]:
    seen: set[frozenset[int]] = set()
    for one, other in pairs:
        persons = frozenset((one.candidate.id, other.candidate.id))
        if persons not in seen:
            seen.add(persons)
            yield PlannedPair(one.seek.id, other.seek.id, one.seek.games_begun, other.seek.games_begun)


def pair(session: Session, planned: PlannedPair, *, now: datetime, rng: random.Random) -> Match | None:
    """Start the game of two seeks; None where either has changed since, or they no longer fit."""
    one, other = locked(session, planned.one), locked(session, planned.other)  # the lower id first: no deadlock
    if one is None or other is None or (one.games_begun, other.games_begun) != (planned.one_begun, planned.other_begun):
        return None
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


def agreement(
    one: PairableSeek, other: PairableSeek, *, now: datetime, pace_ratio: float = PACE_RATIO
) -> Agreement | None:
    """What two seeks would play, if their paces differ by a factor of at most `pace_ratio`.

    None where they do not fit, or where they are not equal and neither seeker asked to be paired.
    """
    if one.candidate.id == other.candidate.id or not _are_open(one, other, now=now):
        return None
    agreed = equal_terms(one.seek, other.seek) or _compromise(one.seek, other.seek, pace_ratio)
    if agreed is None:
        return None
    are_eligible = is_eligible(one.seek, one.candidate, other.candidate, now=now, in_play=one.in_play) and is_eligible(
        other.seek, other.candidate, one.candidate, now=now, in_play=other.in_play
    )
    return agreed if are_eligible else None


def _are_open(*both: PairableSeek, now: datetime) -> bool:
    return all(one.seek.state == SeekState.OPEN and not is_past(one.seek, now) for one in both)


def _compromise(one: Seek, other: Seek, pace_ratio: float) -> Agreement | None:
    """The agreement reached when a seeker who asked to be paired gives way in pace and, if allowed, in options."""
    fits, seat = seats_fit(one, other)
    differ = (one.game, one.rated, one.analysis) != (other.game, other.rated, other.analysis)
    if differ or not fits or not (one.pair_me or other.pair_me):
        return None
    options, time_control = _options(one, other), _time_control(one, other, pace_ratio)
    if options is None or time_control is None:
        return None
    return Agreement(replace(one.terms, options=options, time_control=time_control), seat)


def _options(one: Seek, other: Seek) -> str | None:
    if one.options == other.options or other.any_options:
        return one.options
    return other.options if one.any_options else None


def _time_control(one: Seek, other: Seek, pace_ratio: float) -> TimeControl | None:
    mine, theirs = one.time_control, other.time_control
    if mine == theirs:
        return mine
    if not 1 / pace_ratio <= pace_of(mine) / pace_of(theirs) <= pace_ratio:
        return None
    if one.pair_me and other.pair_me:
        return max(mine, theirs, key=pace_of)  # nobody gets less time than they asked for
    return theirs if one.pair_me else mine


def pace_of(time_control: TimeControl) -> timedelta:
    """The average time that this time control gives for a move."""
    increment = time_control.increment
    return increment + max(time_control.bank - increment, timedelta(0)) / MOVES_OF_A_BANK


def weight(one: PairableSeek, other: PairableSeek, *, now: datetime) -> int | None:
    """How well two seeks fit, always positive; None where they do not."""
    if agreement(one, other, now=now) is None:
        return None
    waited = sum((min(now - one_seek.seek.created_at, LONGEST_WAIT) for one_seek in (one, other)), timedelta(0))
    deductions = (
        min(_ratio_distance(pace_of(one.seek.time_control), pace_of(other.seek.time_control)), 300)
        + min(_ratio_distance(one.candidate.tempo, other.candidate.tempo), 500)
        + min(_rating_gap(one.candidate.rating, other.candidate.rating), 500)
        + _staleness(one.candidate, other.candidate, now)
    )
    return BASE_WEIGHT + round(waited / timedelta(hours=1)) - deductions


def _ratio_distance(one: timedelta | None, other: timedelta | None) -> int:
    """How far two durations are apart: 200 for a factor of two; 0 where one is not known."""
    if not one or not other:
        return 0
    return round(200 * abs(log2(one / other)))


def _rating_gap(one: int | None, other: int | None) -> int:
    return 0 if one is None or other is None else abs(one - other)


def _staleness(one: Candidate, other: Candidate, now: datetime) -> int:
    last = one.last_met(other)
    if last is None or now - last >= FRESH_AFTER:
        return 0
    return round(600 * (1 - (now - last) / FRESH_AFTER))
