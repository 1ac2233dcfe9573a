"""Pairing: who has asked for it is given the best partner there is, by maximum-weight matching.

The weights follow what two seeks have in common and what is known of their people; every pair that may play
weighs more than nothing, so nobody waits while somebody who fits him waits too (Edmonds, “Maximum matching and a
polyhedron with 0,1-vertices”, 1965, as networkx does it). A plan is only a plan: each pair is made in a
transaction of its own that holds both seeks and looks again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from math import log2

import networkx as nx
from sqlmodel import Session, col, select

from correspondence.core.time_control import TimeControl
from correspondence.matchmaking.candidates import Candidate, fellow
from correspondence.matchmaking.eligibility import suits
from correspondence.matchmaking.seeks import begin, equal_terms, in_play, is_past, locked, seats_fit
from correspondence.matchmaking.start import Agreement, terms_of_seek
from correspondence.models import Match, Person, Seek, SeekState

MOST_AT_A_TIME = 400
"""How many seeks of one game one round looks at, those that wait longest first.

After each round those that are left fit nobody else who is left, so only so many who fit nobody could hold up others.
"""

PACE_RATIO = 2.0
"""How many times as slow the pace of a partner may be for somebody who is to be paired."""

MOVES_OF_A_BANK = 30
"""Over how many moves a bank is thought to be spent."""

GROUND = 6_000
"""What any pair weighs; what is subtracted stays below a third, so two pairs outweigh one better one."""

LONGEST_WAIT = timedelta(days=14)
FRESH_AFTER = timedelta(days=180)
"""After so long an opponent is as good as new."""


@dataclass(frozen=True, slots=True)
class PairableSeek:
    """An open seek and its seeker, as they stood when the plan was made."""

    seek: Seek
    fellow: Candidate
    in_play: int = 0


@dataclass(frozen=True, slots=True)
class Planned:
    """Two seeks that are to be paired: their numbers, and how many games had come of each when it was planned."""

    one: int
    other: int
    one_taken: int
    other_taken: int


def wishes(session: Session, game: str, *, now: datetime) -> list[PairableSeek]:
    """The open seeks of a game that are not over, those that wait longest first, with what counts of their people."""
    found = (
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
    known: dict[int, Candidate] = {}
    able: list[PairableSeek] = []
    for seek, person in session.exec(found):
        playing = in_play(session, seek)
        if is_past(seek, now) or (seek.at_once and playing >= seek.at_once):
            continue
        if person.id not in known:
            known[person.id] = fellow(session, person, game, now=now)
        if _can_play(known[person.id]):
            able.append(PairableSeek(seek, known[person.id], playing))
        if len(able) == MOST_AT_A_TIME:
            break
    return able


def _can_play(who: Candidate) -> bool:
    return not (who.has_no_room or who.has_left or who.away_until)


def plan(waiting: Sequence[PairableSeek], *, now: datetime) -> list[Planned]:
    """The pairs to be made among these wishes; no two of them between the same persons. Pure."""
    graph = nx.Graph()
    for one, other in combinations(waiting, 2):
        heavy = weight(one, other, now=now)
        if heavy is not None:
            graph.add_edge(one.seek.id, other.seek.id, weight=heavy)
    by_number = {wish.seek.id: wish for wish in waiting}
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = sorted(tuple(sorted(pair)) for pair in matched)
    return list(_once_a_pair((by_number[one], by_number[other]) for one, other in pairs))


def _once_a_pair(pairs: Iterable[tuple[PairableSeek, PairableSeek]]) -> Iterable[Planned]:
    seen: set[frozenset[int]] = set()
    for one, other in pairs:
        persons = frozenset((one.fellow.id, other.fellow.id))
        if persons not in seen:
            seen.add(persons)
            yield Planned(one.seek.id, other.seek.id, one.seek.taken, other.seek.taken)


def pair(session: Session, planned: Planned, *, now: datetime, rng: random.Random) -> Match | None:
    """Begin the match of two seeks; None where either has changed since, or they no longer fit."""
    one, other = locked(session, planned.one), locked(session, planned.other)  # the lower number first: no deadlock
    if one is None or other is None or (one.taken, other.taken) != (planned.one_taken, planned.other_taken):
        return None
    persons = [session.get_one(Person, seek.person_id) for seek in (one, other)]
    seen = [fellow(session, person, one.game, now=now) for person in persons]
    mine, theirs = (PairableSeek(s, f, in_play(session, s)) for s, f in zip((one, other), seen, strict=True))
    agreed = agreement(mine, theirs, now=now)
    if agreed is None:
        return None
    return begin(session, agreed, persons[0], persons[1], [one, other], now=now, rng=rng)


def agreement(one: PairableSeek, other: PairableSeek, *, now: datetime) -> Agreement | None:
    """What two wishes would play; None where they do not fit, or neither asked to be paired and they are not equal."""
    if one.fellow.id == other.fellow.id or not _are_open(one, other, now=now):
        return None
    agreed = equal_terms(one.seek, other.seek) or _compromise(one.seek, other.seek)
    if agreed is None:
        return None
    fits = suits(one.seek, one.fellow, other.fellow, now=now, in_play=one.in_play) and suits(
        other.seek, other.fellow, one.fellow, now=now, in_play=other.in_play
    )
    return agreed if fits else None


def _are_open(*both: PairableSeek, now: datetime) -> bool:
    return all(wish.seek.state == SeekState.OPEN and not is_past(wish.seek, now) for wish in both)


def _compromise(one: Seek, other: Seek) -> Agreement | None:
    """Who asked to be paired gives way in pace and, if he said so, in options; nobody else does."""
    fits, seat = seats_fit(one, other)
    differ = (one.game, one.rated, one.analysis) != (other.game, other.rated, other.analysis)
    if differ or not fits or not (one.pair_me or other.pair_me):
        return None
    options, terms = _options(one, other), _terms(one, other)
    if options is None or terms is None:
        return None
    return Agreement(one.game, options, terms, one.rated, seat, one.analysis)


def _options(one: Seek, other: Seek) -> str | None:
    if one.options == other.options or other.any_options:
        return one.options
    return other.options if one.any_options else None


def _terms(one: Seek, other: Seek) -> TimeControl | None:
    mine, theirs = terms_of_seek(one), terms_of_seek(other)
    if mine == theirs:
        return mine
    if not 1 / PACE_RATIO <= pace_of(mine) / pace_of(theirs) <= PACE_RATIO:
        return None
    if one.pair_me and other.pair_me:
        return max(mine, theirs, key=pace_of)  # nobody gets less time than he asked for
    return theirs if one.pair_me else mine


def pace_of(terms: TimeControl) -> timedelta:
    """How much time these terms give for a move, on average."""
    return terms.increment + (max(terms.bank - terms.increment, timedelta(0))) / MOVES_OF_A_BANK


def weight(one: PairableSeek, other: PairableSeek, *, now: datetime) -> int | None:
    """How well two wishes fit, above nothing; None where they do not."""
    if agreement(one, other, now=now) is None:
        return None
    waited = sum((min(now - wish.seek.created_at, LONGEST_WAIT) for wish in (one, other)), timedelta(0))
    against = (
        min(_apart(pace_of(terms_of_seek(one.seek)), pace_of(terms_of_seek(other.seek))), 300)
        + min(_apart(one.fellow.tempo, other.fellow.tempo), 500)
        + min(_gap(one.fellow.rating, other.fellow.rating), 500)
        + _staleness(one.fellow, other.fellow, now)
    )
    return GROUND + round(waited / timedelta(hours=1)) - against


def _apart(one: timedelta | None, other: timedelta | None) -> int:
    """How far two tempos are apart: 200 for one that is twice the other; nothing where one is not known."""
    if not one or not other:
        return 0
    return round(200 * abs(log2(one / other)))


def _gap(one: int | None, other: int | None) -> int:
    return 0 if one is None or other is None else abs(one - other)


def _staleness(one: Candidate, other: Candidate, now: datetime) -> int:
    last = one.last_met(other)
    if last is None or now - last >= FRESH_AFTER:
        return 0
    return round(600 * (1 - (now - last) / FRESH_AFTER))
