"""Pairing of one Swiss round: a maximum-weight matching of the entrants who can play.

Nobody meets twice. Of all such pairings, one with the smallest sum of squared score differences is taken; then one in
which few entrants miss the seat that is due to them; then one in which the top half of each score group meets the
bottom half. Seats differ by two at most, and nobody has the same seat three times in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

__all__ = ["Contender", "Match", "pair_round"]

MAX_DIFFERENCE, MAX_ALIKE = 2, 2
"""Maximum difference of an entrant's seats, and how often they may have the same one in a row."""

DENSE, NEAREST = 48, (12, 48)
"""Above `DENSE` entrants, only so many of the cheapest opponents of each are tried first.

A third as many must have another score, for groups with an odd number.
"""

Match = tuple[int, int]
"""Two ids in the order of the seats of their first game."""


@dataclass(frozen=True)
class Contender:
    """An entrant who can play the next round. `score` counts running games as draws."""

    id: int
    seed: int
    score: float
    seats: tuple[int, ...] = ()
    """Seat of each game played so far, 0 or 1."""
    met: frozenset[int] = frozenset()
    had_bye: bool = False
    avoids: frozenset[int] = frozenset()
    """Whom they do not meet as long as others can be paired so."""
    group_place: float = field(default=0.0, compare=False)
    """Place in the score group, from 0, divided by the group's size."""

    @cached_property
    def due(self) -> int:
        """How many more games they had in the second seat than in the first."""
        return 2 * sum(self.seats) - len(self.seats)

    @cached_property
    def breaks(self) -> tuple[int, int]:
        """How many bounds one more game in each seat would break."""
        return _breaks_of((*self.seats, 0)), _breaks_of((*self.seats, 1))

    @cached_property
    def streak(self) -> int:
        """1 if their last game was in the second seat, -1 if in the first, 0 before any."""
        return 0 if not self.seats else 1 if self.seats[-1] else -1


def _breaks_of(seats: tuple[int, ...]) -> int:
    is_unequal = abs(2 * sum(seats) - len(seats)) > MAX_DIFFERENCE
    last = seats[-MAX_ALIKE - 1 :]
    return is_unequal + (len(last) > MAX_ALIKE and len(set(last)) == 1)


def pair_round(contenders: Sequence[Contender], *, games: int) -> tuple[list[Match], int | None] | None:
    """Return the pairs, strongest first, and who has the bye; None if no pairing exists.

    The bye goes to the lowest score without one, then to the lowest seed; to the next of these if the others could not
    be paired otherwise. Only if all of that fails, seats are neglected, as few as possible; if that fails, too,
    entrants meet whom they avoid.
    """
    ordered = _with_places(contenders)
    if len(ordered) < 2:
        return None
    free = sorted((c for c in ordered if not c.had_bye), key=lambda c: (c.score, -c.seed))
    heeding = (True, False) if any(one.avoids for one in ordered) else (True,)
    for avoiding, is_strict in product(heeding, (True, False)):
        able = ordered if avoiding else [replace(one, avoids=frozenset()) for one in ordered]
        for bye in free if len(ordered) % 2 else [None]:
            others = [one for one in able if bye is None or one.id != bye.id]
            pairs = _matched(others, is_strict=is_strict and games == 1)
            if pairs is not None:
                return _seated(pairs), None if bye is None else bye.id
    return None


def _with_places(contenders: Sequence[Contender]) -> list[Contender]:
    """Return the contenders by score and seed, with their places in score groups."""
    groups: dict[float, list[Contender]] = {}
    for one in sorted(contenders, key=lambda c: (-c.score, c.seed, c.id)):
        groups.setdefault(one.score, []).append(one)
    return [replace(c, group_place=place / len(group)) for group in groups.values() for place, c in enumerate(group)]


def _matched(contenders: Sequence[Contender], *, is_strict: bool) -> list[tuple[Contender, Contender]] | None:
    """Return a cheapest perfect matching; None if there is none. If strict, all seats must be within bounds."""
    costs = dict(_costs(contenders, is_strict))
    for nearest in (*(NEAREST if len(contenders) > DENSE else ()), len(contenders)):
        pairs = _perfect_matching(_cheapest(costs, contenders, nearest), len(contenders))
        if pairs is not None:
            return [(contenders[one], contenders[other]) for one, other in pairs]
    return None


def _costs(contenders: Sequence[Contender], is_strict: bool) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield every possible pair with its cost, whose parts never outweigh each other in sum."""
    count = len(contenders)
    halves = 1000 * count  # sum of the cost by halves is below
    seats = halves * count
    differences = seats * 4 * count
    for place, one in enumerate(contenders):
        for other_place in range(place + 1, count):
            other = contenders[other_place]
            breaks = _breaks(one, other)
            if other.id in one.met or other.id in one.avoids or (is_strict and breaks):
                continue
            squared = round((2 * (one.score - other.score)) ** 2)
            off = round(1000 * abs(abs(one.group_place - other.group_place) - 0.5))
            cost = off + seats * _conflict(one, other) + differences * (squared + breaks * count * 10_000)
            yield (place, other_place), cost


def _conflict(one: Contender, other: Contender) -> int:
    """Return how much two contenders are due the same seat, 0 to 2."""
    return min(abs(one.due), abs(other.due), 2) if one.due * other.due > 0 else 0


def _breaks(one: Contender, other: Contender) -> int:
    return min(one.breaks[0] + other.breaks[1], one.breaks[1] + other.breaks[0])


def _cheapest(
    costs: Mapping[tuple[int, int], int], contenders: Sequence[Contender], nearest: int
) -> dict[tuple[int, int], int]:
    of_each: list[list[tuple[int, tuple[int, int]]]] = [[] for _ in contenders]
    for pair, cost in costs.items():
        for place in pair:
            of_each[place].append((cost, pair))
    chosen: dict[tuple[int, int], int] = {}
    for own in map(sorted, of_each):
        floats = [(cost, (a, b)) for cost, (a, b) in own if contenders[a].score != contenders[b].score]
        chosen |= {pair: cost for cost, pair in own[:nearest] + floats[: nearest // 3]}
    return chosen


def _perfect_matching(costs: Mapping[tuple[int, int], int], count: int) -> list[tuple[int, int]] | None:
    import rustworkx as rx  # lazy: 25 MB with numpy

    most = max(costs.values(), default=0) + 1
    graph: rx.PyGraph[None, int] = rx.PyGraph()
    graph.add_nodes_from([None] * count)
    graph.add_edges_from([(*pair, most - cost) for pair, cost in costs.items()])
    pairs = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs) if 2 * len(pairs) == count else None


def _seated(pairs: Iterable[tuple[Contender, Contender]]) -> list[Match]:
    """Give each pair its seats: by the fewest breaks, then to whom the seat is due, then in turns down the list."""
    return [_seats(one, other, place) for place, (one, other) in enumerate(pairs)]


def _seats(one: Contender, other: Contender, place: int) -> Match:
    straight = (one.breaks[0] + other.breaks[1], other.due - one.due, other.streak - one.streak)
    turned = (one.breaks[1] + other.breaks[0], one.due - other.due, one.streak - other.streak)
    if straight == turned:
        return (one.id, other.id) if place % 2 == 0 else (other.id, one.id)
    return (one.id, other.id) if straight < turned else (other.id, one.id)
