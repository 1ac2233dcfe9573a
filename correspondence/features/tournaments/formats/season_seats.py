"""Seats of a league's division: fair, and other than last season where both can be had."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush

__all__ = ["orient"]

Edge = tuple[int, int]
"""Ids in the order of the seats."""


def orient(games: Iterable[Edge], wishes: Collection[Edge]) -> list[Edge]:
    """Return the games of an all-play-all with their seats.

    Seats are as wished where they can be, and the numbers of an entrant's two seats differ by one at most.

    Too many first seats of one entrant are passed on along a chain of games to somebody with too few, by the chain
    that breaks the fewest wishes.
    """
    wished = frozenset(wishes)
    first = {frozenset(game): game[::-1] if game[::-1] in wished else game for game in games}
    entrants = sorted({one for game in first for one in game})
    most, fewest = len(entrants) // 2, (len(entrants) - 1) // 2
    while True:
        count = {one: sum(game[0] == one for game in first.values()) for one in entrants}
        rich = [one for one in entrants if count[one] > most]
        poor = [one for one in entrants if count[one] < fewest]
        if not rich and not poor:
            return list(first.values())
        givers = rich or [one for one in entrants if count[one] > fewest]
        takers = poor or [one for one in entrants if count[one] < most]
        for game in _chain(first, givers, takers, wished):
            first[frozenset(game)] = game[::-1]


def _chain(
    first: Mapping[frozenset[int], Edge], givers: Sequence[int], takers: Sequence[int], wished: Collection[Edge]
) -> list[Edge]:
    """Return the games that lead from a giver to a taker and break the fewest wishes (Dijkstra)."""
    heap: list[tuple[int, int, int, list[Edge]]] = [(0, 0, one, []) for one in givers]
    done: set[int] = set()
    while heap:
        broken, length, one, chain = heappop(heap)
        if one in takers and chain:
            return chain
        if one not in done:
            done.add(one)
            for game in first.values():
                if game[0] == one and game[1] not in done:
                    heappush(heap, (broken + (game in wished), length + 1, game[1], [*chain, game]))
    raise AssertionError("In an all-play-all, every surplus of seats can be passed on.")
