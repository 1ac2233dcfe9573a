"""Which of the seeks that fit are paired: as many pairs as there can be, and among those plans a heavy one. Pure.

Seeks that are joined by no chain of seeks that fit are planned apart. What a plan promises of each such group:

1. **The most pairs.** No other plan has more (`graph_matching.make_most_pairs`), so no two that fit are left over.
2. **The greatest weight**, in groups where that costs little, the smallest first (`WORK`): a group alone in its round gets
   it where up to about 75 pairs can be made in it, however many seeks wait. Edges are left out first, which loses
   nothing. Let C be the seeks that some plan with the most pairs takes, L those that it leaves over, and d how many of C
   fit anybody in L. No two of L fit, so any plan takes at most d of L, each for another seek of C. If it gives one of
   C a partner in L that is not one of its d best there, then one of these d is free; taking that one instead costs
   neither a pair nor weight. So the d best are enough.
3. **In larger groups**, that no exchange of one partner, or of two between two pairs, makes the plan heavier by a pair
   that is among the `NEAREST` of one of its seeks. Every plan with the most pairs has at least 61 % of the greatest
   weight, because each pair weighs from 4,100 to 6,672. `python -m bench.pair_plans` shows how near
   it comes.

Older seeks come first as far as weights say so: each hour of waiting counts as much as a point of rating.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from heapq import nlargest

from correspondence.matchmaking.agreements import MOST_FOR_PACE, MOST_FOR_TEMPO, PairableSeek, against, traits, worth
from correspondence.matchmaking.compatibility import compatible_seeks, places_in
from correspondence.matchmaking.graph_matching import ALONE, heaviest, make_most_pairs

WORK = 4_000_000
"""The most that one plan spends on the greatest weight: the cubes of the seeks to be paired in each group, together."""

NEAREST = 8
"""How many of the nearest partners of each seek are considered in groups that are too large for that."""

BAND = 100
"""How wide the bands of pace and tempo are in which the nearest partners are looked for: 200 is a factor of two."""

ROUNDS = 12
"""How often exchanges are looked for at most; each makes the plan heavier, and few are found after the third time."""

_USUAL_RATING = 1500
_Edge = tuple[int, int]
_Band = tuple[int, int | None]


def planned_pairs(
    waiting: Sequence[PairableSeek], apart: Iterable[frozenset[int]], *, now: datetime, work: int = WORK
) -> list[_Edge]:
    """The pairs, as places in `waiting`; none joins two persons who are to stay `apart`."""
    ordered = sorted(range(len(waiting)), key=lambda place: _order(waiting[place]))
    pool = _Pool([waiting[place] for place in ordered], apart, now)
    return [(ordered[one], ordered[other]) for one, other in pool.pairs(work)]


def _order(one: PairableSeek) -> tuple[float, float, int]:
    """Neighbours in this order are near each other in rating; who has none stands in the middle."""
    candidate = one.candidate
    rating = _USUAL_RATING if candidate.rating is None else candidate.rating
    return rating, candidate.tempo.total_seconds() if candidate.tempo else 0, one.seek.id


class _Pool:
    """Seeks in the order of their ratings, and who may be paired with whom."""

    def __init__(self, seeks: Sequence[PairableSeek], apart: Iterable[frozenset[int]], now: datetime) -> None:
        self._traits = [traits(one, now) for one in seeks]
        self._partners = compatible_seeks(seeks, now=now)
        self._places: dict[int, int] = defaultdict(int)
        for place, one in enumerate(self._traits):
            self._places[one.person] |= 1 << place
        for persons in apart:
            self._keep_apart(*persons)

    def _keep_apart(self, one: int, other: int) -> None:
        for person, avoided in ((one, other), (other, one)):
            for place in places_in(self._places[person]):
                self._partners[place] &= ~self._places[avoided]

    def worth(self, one: int, other: int) -> int:
        return worth(self._traits[one], self._traits[other])

    def pairs(self, work: int) -> list[_Edge]:
        """The pairs of the plan."""
        partner = [ALONE] * len(self._traits)
        near = self._pair_near(partner)
        make_most_pairs(self._partners, partner)
        small, large = self._by_work(partner, work)
        found = [pair for group in small for pair in heaviest(self._edges_that_count(group, partner))]
        chosen = sum(1 << place for group in large for place in group)
        near = [edge for edge in near if chosen >> edge[0] & 1]
        self._exchange(near, partner)
        return found + [(one, partner[one]) for one in places_in(chosen) if one < partner[one]]

    def _by_work(self, partner: Sequence[int], left: int) -> tuple[list[list[int]], list[list[int]]]:
        """The groups of which the greatest weight is found, and the others."""
        small: list[list[int]] = []
        large: list[list[int]] = []
        for group in sorted(self._groups(), key=lambda group: _work(group, partner)):
            left -= _work(group, partner)
            (small if left >= 0 else large).append(group)
        return small, large

    def _groups(self) -> Iterator[list[int]]:
        """The seeks that are joined by chains of seeks that fit; who fits nobody is in none."""
        unseen = sum(1 << place for place, partners in enumerate(self._partners) if partners)
        while unseen:
            group, fresh = 0, unseen & -unseen
            while fresh:
                group |= fresh
                reached = 0
                for place in places_in(fresh):
                    reached |= self._partners[place]
                fresh = reached & ~group
            unseen &= ~group
            yield list(places_in(group))

    def _edges_that_count(self, group: Sequence[int], partner: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The edges of a group without those that no plan needs; see the top of this module."""
        paired = sum(1 << place for place in group if partner[place] != ALONE)
        among, beside = ([self._partners[place] & which for place in group] for which in (paired, ~paired))
        most = sum(partner[place] != ALONE and bool(others) for place, others in zip(group, beside, strict=True))
        for one, inner, outer in zip(group, among, beside, strict=True):
            if partner[one] != ALONE:
                yield from ((one, other, self.worth(one, other)) for other in places_in(inner) if one < other)
                yield from ((one, other, self.worth(one, other)) for other in self._best(one, outer, most))

    def _best(self, one: int, others: int, most: int) -> list[int]:
        return nlargest(most, places_in(others), key=lambda other: (self.worth(one, other), -other))

    # -- large groups: the nearest first, then exchanges ---------------------------------

    @cached_property
    def _bands(self) -> list[_Band]:
        return [(int(one.pace // BAND), None if one.tempo is None else int(one.tempo // BAND)) for one in self._traits]

    def _pair_near(self, partner: list[int]) -> list[_Edge]:
        """Pair everybody with one of the nearest who are free, the best pairs first; returns the edges considered."""
        considered: list[_Edge] = []
        free = sum(1 << place for place, partners in enumerate(self._partners) if partners)
        while edges := sorted(self._near_edges(free), key=lambda edge: (-self.worth(*edge), edge)):
            considered += edges
            for one, other in edges:
                if partner[one] == partner[other] == ALONE:
                    partner[one], partner[other] = other, one
                    free &= ~(1 << one | 1 << other)
        return considered

    def _near_edges(self, free: int) -> set[_Edge]:
        """The edges from each free seek to its nearest free partners; none where no two that are free fit."""
        members: dict[_Band, int] = defaultdict(int)
        for place in places_in(free):
            members[self._bands[place]] |= 1 << place
        edges = set()
        for band, places in members.items():
            bands = sorted((_least_against(band, other), among) for other, among in members.items())
            for place in places_in(places):
                edges |= {(min(place, other), max(place, other)) for other in self._nearest(place, free, bands)}
        return edges

    def _nearest(self, place: int, free: int, bands: Sequence[tuple[int, int]]) -> list[int]:
        """The nearest partners of a seek; `bands` are sets, each after what speaks against it at least, in order."""
        partners, mine = self._partners[place] & free, self._traits[place]
        found: list[tuple[int, int]] = []
        for least, members in bands:
            if not partners or (len(found) == NEAREST and least >= found[-1][0]):
                break
            among = partners & members
            if among:
                partners &= ~among
                found += [(against(mine, self._traits[other]), other) for other in _around(place, among)]
                found = sorted(found)[:NEAREST]
        return [other for _against, other in found]

    def _exchange(self, edges: Iterable[_Edge], partner: list[int]) -> None:
        """Exchange partners along these edges as long as the plan gets heavier."""
        ordered = sorted(set(edges), key=lambda edge: (-self.worth(*edge), edge))
        for _round in range(ROUNDS):
            if not sum(self._exchange_along(one, other, partner) for one, other in ordered):
                return

    def _exchange_along(self, one: int, other: int, partner: list[int]) -> bool:
        """Pair these two if that is better; those whom they leave are paired with each other, if there are two."""
        left, forsaken = partner[one], partner[other]
        if left == other:
            return False
        gain = self.worth(one, other)
        gain -= sum(self.worth(place, its) for place, its in ((one, left), (other, forsaken)) if its != ALONE)
        if ALONE not in (left, forsaken):
            if not self._partners[left] >> forsaken & 1:
                return False
            gain += self.worth(left, forsaken)
            partner_of_left, partner_of_forsaken = forsaken, left
        else:
            partner_of_left = partner_of_forsaken = ALONE
        if gain <= 0:
            return False
        partner[one], partner[other] = other, one
        for place, its in ((left, partner_of_left), (forsaken, partner_of_forsaken)):
            if place != ALONE:
                partner[place] = its
        return True


def _work(group: Sequence[int], partner: Sequence[int]) -> int:
    return int(sum(partner[place] != ALONE for place in group) ** 3)


def _least_against(one: _Band, other: _Band) -> int:
    """What speaks at least against a pair of these bands of pace and tempo."""
    pace = min(max(abs(one[0] - other[0]) - 1, 0) * BAND, MOST_FOR_PACE)
    if one[1] is None or other[1] is None:
        return pace
    return pace + min(max(abs(one[1] - other[1]) - 1, 0) * BAND, MOST_FOR_TEMPO)


def _around(place: int, among: int) -> Iterator[int]:
    """The nearest places on either side, `NEAREST` of each at most."""
    above, below = among >> place, among & ((1 << place) - 1)
    for _number in range(NEAREST):
        if above:
            lowest = above & -above
            above ^= lowest
            yield place + lowest.bit_length() - 1
        if below:
            highest = below.bit_length() - 1
            below ^= 1 << highest
            yield highest
