"""Matchings in graphs whose vertices are 0, 1, 2, …: as many pairs as there can be, and the greatest weight. Pure.

The neighbours of a vertex are the bits of one integer. A matching is a list that holds the partner of each vertex.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ALONE = -1
"""The partner of a vertex that has none."""


def heaviest(edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Of the matchings with the most pairs, one whose weights add up to most; an edge is two vertices and its weight.

    Edmonds, “Maximum matching and a polyhedron with 0,1-vertices”, 1965. The time grows with the cube of the vertices.
    """
    import networkx as nx  # most processes never pair, and all would wait for it

    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    return sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))


def make_most_pairs(neighbours: Sequence[int], partner: list[int]) -> None:
    """Change a matching into one with the most pairs; who has a partner keeps having one, perhaps another.

    Edmonds, “Paths, trees, and flowers”, 1965. Vertices that a search has reached in vain are left out of all later
    ones: no later path leads through them.
    """
    alive = (1 << len(neighbours)) - 1
    for root in range(len(neighbours)):
        if partner[root] == ALONE and neighbours[root] & alive:
            search = _Search(neighbours, partner, alive, root)
            if not search.finds_a_partner():
                alive &= ~(search.outer | search.inner)


class _Search:
    """The search for an alternating path from a vertex without a partner to another one.

    `outer` vertices are reached by paths of even length, `inner` ones by odd ones. A blossom, a circle of odd length, is
    treated as one outer vertex, its base.
    """

    def __init__(self, neighbours: Sequence[int], partner: list[int], alive: int, root: int) -> None:
        self._neighbours, self._partner, self._alive = neighbours, partner, alive
        self.outer, self.inner = 1 << root, 0
        self._queue = [root]
        self._before: dict[int, int] = {}
        self._bases: dict[int, int] = {}
        self._members: dict[int, int] = {}

    def finds_a_partner(self) -> bool:
        """Look for a path and, where there is one, change the matching along it."""
        for vertex in self._queue:  # which grows meanwhile
            near = self._neighbours[vertex] & self._alive
            fresh = near & ~self.outer & ~self.inner
            while fresh:
                lowest = fresh & -fresh
                fresh ^= lowest
                other = lowest.bit_length() - 1
                self._before[other] = vertex
                if self._partner[other] == ALONE:
                    self._augment(other)
                    return True
                self._reach(lowest, self._partner[other])
            self._shrink_blossoms(vertex, near)
        return False

    def _reach(self, inner: int, outer: int) -> None:
        self.inner |= inner
        self.outer |= 1 << outer
        self._queue.append(outer)

    def _augment(self, vertex: int) -> None:
        while vertex != ALONE:
            before = self._before[vertex]
            following = self._partner[before]
            self._partner[vertex], self._partner[before] = before, vertex
            vertex = following

    def _base(self, vertex: int) -> int:
        while vertex in self._bases:
            vertex = self._bases[vertex]
        return vertex

    def _blossom(self, base: int) -> int:
        return self._members.get(base, 1 << base)

    def _shrink_blossoms(self, vertex: int, near: int) -> None:
        """Shrink the blossoms that the edges from an outer vertex to other outer ones close."""
        while True:
            others = near & self.outer & ~self._blossom(self._base(vertex))
            if not others:
                return
            self._shrink(vertex, (others & -others).bit_length() - 1)

    def _shrink(self, one: int, other: int) -> None:
        base = self._common_base(one, other)
        bases = self._walk_to(one, base, other) | self._walk_to(other, base, one)
        blossom = self._blossom(base)
        for inside in bases - {base}:
            blossom |= self._blossom(inside)
            self._bases[inside] = base
        self._members[base] = blossom
        risen = blossom & ~self.outer
        self.outer |= blossom
        self.inner &= ~blossom
        while risen:
            lowest = risen & -risen
            self._queue.append(lowest.bit_length() - 1)
            risen ^= lowest

    def _common_base(self, one: int, other: int) -> int:
        passed = {one := self._base(one)}
        while self._partner[one] != ALONE:
            one = self._base(self._before[self._partner[one]])
            passed.add(one)
        while (other := self._base(other)) not in passed:
            other = self._before[self._partner[other]]
        return other

    def _walk_to(self, vertex: int, base: int, child: int) -> set[int]:
        """Note how paths lead backwards through a new blossom; returns the bases that were passed."""
        passed = set()
        while self._base(vertex) != base:
            middle = self._partner[vertex]
            passed |= {self._base(vertex), self._base(middle)}
            self._before[vertex] = child
            child, vertex = middle, self._before[middle]
        return passed
