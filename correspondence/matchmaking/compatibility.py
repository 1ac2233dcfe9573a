"""Which of many seeks may be paired with which, without looking at every pair. Pure.

A set of seeks is an integer whose bits are their places in a list. What seeks have in common is collected once, as sets;
the partners of a seek are then an intersection of a few of them. So 5,000 seeks are compared in a second, where
`agreements.agreement` would be asked twelve million times. Both say the same of every pair, which a test holds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from math import inf

from correspondence.matchmaking.agreements import PACE_RATIO, PairableSeek, pace_of
from correspondence.matchmaking.seeks import is_past
from correspondence.models import NEVER_AGAIN, SeekState

_SLACK = 1e-9
"""Paces are compared by their ratio, which is not exact to the last digit."""


def places_in(chosen: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while chosen:
        lowest = chosen & -chosen
        yield lowest.bit_length() - 1
        chosen ^= lowest


def compatible_seeks(waiting: Sequence[PairableSeek], *, now: datetime, pace_ratio: float = PACE_RATIO) -> list[int]:
    """For each seek the set of those with which there is an agreement, if paces differ by at most `pace_ratio`."""
    pool = _Pool(waiting, now, pace_ratio)
    partners = [pool.partners(one) & ~(1 << place) for place, one in enumerate(waiting)]
    for place, one in enumerate(waiting):
        refused = pool.refused_by(one)
        partners[place] &= ~refused
        for other in places_in(refused):
            partners[other] &= ~(1 << place)
    return partners


class _Groups:
    """Sets of places by a value that several seeks have in common."""

    def __init__(self, values: Iterable[Hashable]) -> None:
        self._sets: dict[Hashable, int] = defaultdict(int)
        for place, value in enumerate(values):
            self._sets[value] |= 1 << place

    def __getitem__(self, value: Hashable) -> int:
        return self._sets.get(value, 0)

    def items(self) -> Iterable[tuple[Hashable, int]]:
        return self._sets.items()


class _Scale:
    """Sets of places by a number of each: those with a number from here to there."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._numbers = sorted(set(numbers))
        at: dict[float, int] = defaultdict(int)
        for place, number in enumerate(numbers):
            at[number] |= 1 << place
        self._below = [0]
        for number in self._numbers:
            self._below.append(self._below[-1] | at[number])

    def between(self, low: float, high: float) -> int:
        """The places whose number is at least `low` and at most `high`."""
        return self._below[bisect_right(self._numbers, high)] & ~self._below[bisect_left(self._numbers, low)]


class _Pool:
    """What the seeks of one game have in common."""

    def __init__(self, waiting: Sequence[PairableSeek], now: datetime, pace_ratio: float) -> None:
        self._waiting, self._now, self._pace_ratio = waiting, now, pace_ratio
        self._all = (1 << len(waiting)) - 1
        self._free = self._set(self._is_free(one) for one in waiting)
        self._pairing = self._set(one.seek.pair_me for one in waiting)
        self._any_options = self._set(one.seek.any_options for one in waiting)
        self._kinds = _Groups(_kind(one) for one in waiting)
        self._terms = _Groups(one.seek.terms for one in waiting)
        self._options = _Groups(one.seek.options for one in waiting)
        self._seats = _Groups(one.seek.seat for one in waiting)
        self._persons = _Groups(one.candidate.id for one in waiting)
        self._paces = _Scale([_pace(one) for one in waiting])

    @cached_property
    def _ratings(self) -> _Scale:
        return _Scale([-1 if one.candidate.rating is None else one.candidate.rating for one in self._waiting])

    @cached_property
    def _lows(self) -> _Scale:
        return _Scale([one.seek.rating_low or 0 for one in self._waiting])

    @cached_property
    def _highs(self) -> _Scale:
        return _Scale([inf if one.seek.rating_high is None else one.seek.rating_high for one in self._waiting])

    @cached_property
    def _reliabilities(self) -> _Scale:
        known = (one.candidate.reliability for one in self._waiting)
        return _Scale([inf if percent is None else percent for percent in known])

    @cached_property
    def _floors(self) -> _Scale:
        return _Scale([one.seek.reliability for one in self._waiting])

    @cached_property
    def _wanted_languages(self) -> _Groups:
        return _Groups(one.seek.language for one in self._waiting)

    @cached_property
    def _readers(self) -> dict[str, int]:
        readers: dict[str, int] = defaultdict(int)
        for place, one in enumerate(self._waiting):
            for language in one.candidate.languages:
                readers[language] |= 1 << place
        return readers

    def _set(self, members: Iterable[bool]) -> int:
        return sum(1 << place for place, is_member in enumerate(members) if is_member)

    def _is_free(self, one: PairableSeek) -> bool:
        """Whether nothing keeps this seek from every partner."""
        seek, seeker = one.seek, one.candidate
        if seek.state != SeekState.OPEN or is_past(seek, self._now):
            return False
        if seeker.game_limit_reason or seeker.has_left or seeker.away_until:
            return False
        return not seek.games_at_once or one.in_play < seek.games_at_once

    def partners(self, one: PairableSeek) -> int:
        """Those who fit a seek, but for what one person has against another."""
        found = self._free & self._kinds[_kind(one)] & ~self._persons[one.candidate.id] & self._seats_beside(one)
        if not found or not self._is_free(one):
            return 0
        found &= self._terms[one.seek.terms] | self._compromises(one)
        found &= self._wanted_ratings(one) & self._wanted_reliabilities(one)
        return found & self._languages_of(one)

    def _seats_beside(self, one: PairableSeek) -> int:
        return self._all if one.seek.seat is None else ~self._seats[one.seek.seat]

    def _compromises(self, one: PairableSeek) -> int:
        seek, pace = one.seek, _pace(one)
        least, most = pace / self._pace_ratio * (1 - _SLACK), pace * self._pace_ratio * (1 + _SLACK)
        options = self._all if seek.any_options else self._options[seek.options] | self._any_options
        willing = self._all if seek.pair_me else self._pairing
        return willing & options & self._paces.between(least, most)

    def _wanted_ratings(self, one: PairableSeek) -> int:
        seek, rating = one.seek, one.candidate.rating
        found = self._all
        if seek.rating_low is not None or seek.rating_high is not None:
            high = inf if seek.rating_high is None else seek.rating_high
            found = self._ratings.between(seek.rating_low or 0, high) | self._ratings.between(-1, -1)
        if rating is not None:
            found &= self._lows.between(-inf, rating) & self._highs.between(rating, inf)
        return found

    def _wanted_reliabilities(self, one: PairableSeek) -> int:
        percent = inf if one.candidate.reliability is None else one.candidate.reliability
        return self._reliabilities.between(one.seek.reliability, inf) & self._floors.between(-inf, percent)

    def _languages_of(self, one: PairableSeek) -> int:
        wanted = one.seek.language
        known = self._wanted_languages[""]
        for language in one.candidate.languages:
            known |= self._wanted_languages[language]
        return known & (self._readers.get(wanted, 0) if wanted else self._all)

    def refused_by(self, one: PairableSeek) -> int:
        """Those whom the seeker has blocked, or has met more lately than the seek allows."""
        refused = 0
        for person in one.candidate.blocked:
            refused |= self._persons[person]
        if one.seek.rest_days:
            for person, at in (one.candidate.met or {}).items():
                if self._is_too_soon(one.seek.rest_days, at):
                    refused |= self._persons[person]
        return refused

    def _is_too_soon(self, rest_days: int, at: datetime) -> bool:
        return rest_days == NEVER_AGAIN or self._now - at < timedelta(days=rest_days)


def _kind(one: PairableSeek) -> Hashable:
    """What has to be the same for both."""
    return one.seek.game, one.seek.rated, one.seek.analysis


def _pace(one: PairableSeek) -> float:
    return pace_of(one.seek.time_control).total_seconds()
