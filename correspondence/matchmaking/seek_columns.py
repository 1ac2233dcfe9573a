"""Open seeks as numeric columns: which others fit a seek, and how well. Pure.

`agreements.agreement` compares two seeks; for all pairs of 5,000 seeks it would take a minute. Here numpy compares one
seek with all others at once. A test checks that both agree on every pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from math import inf, log2, nan

import numpy as np
from numpy.typing import NDArray

from correspondence.matchmaking.agreements import PACE_RATIO, PairableSeek, pace_of
from correspondence.matchmaking.seeks import is_past
from correspondence.models import NEVER_AGAIN, SeekState

BASE_WEIGHT = 6_000
"""Base weight of any pair.

Deductions stay below a third of it, so that two pairs outweigh one better pair.
"""

MOST_FOR_PACE, MOST_FOR_TEMPO, MOST_FOR_RATING, MOST_FOR_STALENESS = 300, 500, 500, 600
"""Maximum deduction for each difference of two seeks or seekers."""

POINTS_FOR_DOUBLE = 200
"""Deduction if one pace or tempo is twice the other."""

LONGEST_WAIT = timedelta(days=14)
FRESH_AFTER = timedelta(days=180)
"""Time after which an earlier opponent counts as a new one."""

_ROUNDING = 1e-6
Flags = NDArray[np.bool_]
Columns = NDArray[np.float64]
Places = NDArray[np.intp]


class SeekColumns:
    """Open seeks as columns, each at the same index in all; NaN, for unknown, compares False."""

    def __init__(self, waiting: Sequence[PairableSeek], apart: Iterable[frozenset[int]] = (), *, now: datetime) -> None:
        """Read the seeks; the two persons of each pair in `apart` never fit."""
        seeks, people = [one.seek for one in waiting], [one.candidate for one in waiting]
        languages = list(dict.fromkeys(seek.language for seek in seeks))
        self._is_free = _flags(_is_free(one, now) for one in waiting)
        self._kind = _codes((seek.game, seek.rated, seek.analysis) for seek in seeks)
        self._terms = _codes(seek.terms for seek in seeks)
        self._options = _codes(seek.options for seek in seeks)
        self._person = _codes(person.id for person in people)
        self._seat = _numbers(seek.seat for seek in seeks)
        self._pairs_me = _flags(seek.pair_me for seek in seeks)
        self._any_options = _flags(seek.any_options for seek in seeks)
        self._pace = _numbers(_points(pace_of(seek.time_control)) for seek in seeks)
        self._tempo = _numbers(_points(person.tempo) for person in people)
        self._waited = _numbers(min(now - seek.created_at, LONGEST_WAIT) / timedelta(hours=1) for seek in seeks)
        self._rating = _numbers(person.rating for person in people)
        self._low = _numbers(seek.rating_low for seek in seeks)
        self._high = _numbers(seek.rating_high for seek in seeks)
        self._reliability = _numbers(person.reliability for person in people)
        self._floor = _numbers(seek.reliability for seek in seeks)
        self._wanted = np.array([languages.index(seek.language) for seek in seeks])
        self._reads = np.array([[not name or name in one.languages for one in people] for name in languages])
        self._apart: dict[int, set[int]] = defaultdict(set)
        self._stale: dict[int, dict[int, float]] = defaultdict(dict)
        self._note_opponents(waiting, apart, now)

    def _note_opponents(self, waiting: Sequence[PairableSeek], apart: Iterable[frozenset[int]], now: datetime) -> None:
        """Store for each seek which others it must avoid, and deductions for earlier games."""
        places: dict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(waiting):
            places[one.candidate.id].append(place)
        avoided = [(place, person) for place, one in enumerate(waiting) for person in _avoided(one, now)]
        avoided += [(place, other) for one, other in apart for place in places[one]]
        for place, person in avoided:
            for other in places[person]:
                self._apart[place].add(other)
                self._apart[other].add(place)
        for place, one in enumerate(waiting):
            for person, at in (one.candidate.met or {}).items():
                points = MOST_FOR_STALENESS * (1 - (now - at) / FRESH_AFTER)
                for other in places[person]:
                    self._stale[place][other] = self._stale[other][place] = max(
                        points, self._stale[place].get(other, 0)
                    )

    def fitting(self, place: int, *, pace_ratio: float = PACE_RATIO) -> Places:
        """Return the places that agree with this one, if paces differ at most by `pace_ratio`."""
        fit = self._is_free & self._is_free[place] & (self._kind == self._kind[place])
        fit &= (self._person != self._person[place]) & ~(self._seat == self._seat[place])
        fit &= (self._terms == self._terms[place]) | self._compromises(place, pace_ratio)
        fit &= ~((self._rating < self._low[place]) | (self._rating > self._high[place]))
        fit &= ~((self._rating[place] < self._low) | (self._rating[place] > self._high))
        fit &= ~((self._reliability < self._floor[place]) | (self._reliability[place] < self._floor))
        fit &= self._reads[self._wanted[place]] & self._reads[self._wanted, place]
        fit[list(self._apart[place])] = False
        return np.flatnonzero(fit)

    def _compromises(self, place: int, pace_ratio: float) -> Flags:
        """Mark seeks with compatible options and a similar pace, if either seeker set `pair_me`."""
        options = self._any_options | self._any_options[place] | (self._options == self._options[place])
        paces = np.abs(self._pace - self._pace[place]) <= POINTS_FOR_DOUBLE * log2(pace_ratio) + _ROUNDING
        fit: Flags = (self._pairs_me | self._pairs_me[place]) & options & paces
        return fit

    def best(self, place: int, most: int) -> Iterator[tuple[int, int]]:
        """Return at most `most` of the best fitting places, each with the weight of the pair."""
        others = self.fitting(place)
        deductions = self._deductions(place, others)
        if len(others) > most:  # break ties by distance, or all seeks would choose the same few partners
            near = np.argpartition(deductions + np.abs(others - place) / len(self._kind), most)[:most]
            others, deductions = others[near], deductions[near]
        weights = BASE_WEIGHT + self._waited[others] + self._waited[place] - deductions
        return zip(others.tolist(), np.rint(weights).astype(int).tolist(), strict=True)

    def nearest_at_another_pace(self, place: int) -> int | None:
        """Return the place of the seek nearest in pace that is ruled out by pace alone, or None."""
        others = np.setdiff1d(self.fitting(place, pace_ratio=inf), self.fitting(place))
        return int(others[np.abs(self._pace[others] - self._pace[place]).argmin()]) if others.size else None

    def _deductions(self, place: int, others: Places) -> Columns:
        """Return the deductions for each pair: pace, tempo, rating and recent common games."""
        columns = ((self._pace, MOST_FOR_PACE), (self._tempo, MOST_FOR_TEMPO), (self._rating, MOST_FOR_RATING))
        total = np.zeros(len(self._kind))
        for column, most in columns:
            total += np.nan_to_num(np.minimum(np.abs(column - column[place]), most))
        for other, points in self._stale[place].items():
            total[other] += points
        return total[others]


def _is_free(one: PairableSeek, now: datetime) -> bool:
    """Whether the seek is open and its seeker can play now."""
    seek, seeker = one.seek, one.candidate
    if seek.state != SeekState.OPEN or is_past(seek, now):
        return False
    if seeker.game_limit_reason or seeker.has_left or seeker.away_until:
        return False
    return not seek.games_at_once or one.in_play < seek.games_at_once


def _avoided(one: PairableSeek, now: datetime) -> Iterator[int]:
    """Yield the persons whom the seeker has blocked, or met too recently for the seek."""
    yield from one.candidate.blocked
    days = one.seek.rest_days
    for person, at in (one.candidate.met or {}).items() if days else ():
        if days == NEVER_AGAIN or now - at < timedelta(days=days):
            yield person


def _points(length: timedelta | None) -> float | None:
    return None if length is None else POINTS_FOR_DOUBLE * log2(length.total_seconds())


def _numbers(values: Iterable[float | None]) -> Columns:
    return np.array([nan if value is None else value for value in values], dtype=np.float64)


def _flags(values: Iterable[bool]) -> Flags:
    return np.array(list(values), dtype=np.bool_)


def _codes(values: Iterable[Hashable]) -> Places:
    """Map each value to a number; equal values get the same one."""
    codes: dict[Hashable, int] = {}
    return np.array([codes.setdefault(value, len(codes)) for value in values], dtype=np.intp)
