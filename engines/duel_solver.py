"""Solver of the Puzzle of Duel: hints, and solutions proved shortest if the budget allows.

A *target* assigns buttons to spaces. In a target, spaces form *chains*: each space points to the target of its button.
A closed chain of n spaces needs n - 1 exchanges; an open one, which ends in a button that may end anywhere, needs one
exchange per assigned button. This requires that every exchange splits a chain. Whether the bridges allow a chain to be
split down completely is found by search, once for each chain. Otherwise moves are *wasted*: joining two open chains
wastes one move, joining two closed ones wastes two. The search goes through the lengths 0, 1, 2, …, and for each
through all targets that can be reached in that many moves. So the first target reached gives a shortest solution.

In thousands of random deals no search tried more than 3,100 chains, so every solution was proved shortest. That took
milliseconds for goals 1, 2 and 4; for goal 3 about 0.1 s, and 1 to 2 s for the rare deals that need nine moves. The
budget counts chains, not time, so equal positions have equal solutions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from engines.budget import BudgetSpent
from engines.buttons import with_exchange
from engines.duel_puzzle.goals import is_met
from engines.duel_puzzle.position import Puzzle
from engines.duel_puzzle.targets import Target, chains, targets
from engines.walks import Walk, reach_of

BUDGET = 50_000
"""Maximum number of chains tried per target; beyond it solutions are not proved shortest."""

_MOST_MOVES = 24

Chain = tuple[tuple[int, ...], str]
"""A closed chain: its spaces, and the buttons on them.

Each button's target is the next space; the last one's is the first.
"""

Swap = tuple[int, int]
"""Two spaces whose buttons change places."""

Swaps = tuple[Swap, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves that meet the goal; `shortest` if fewer moves are proved impossible."""

    moves: tuple[Walk, ...]
    shortest: bool


def solve(position: Puzzle, *, budget: int = BUDGET) -> Solution | None:
    """Find a solution, the shortest if the budget allows a proof; None if none is found.

    Raises ValueError before the deal.
    """
    if not position.is_dealt:
        raise ValueError("the buttons have not been dealt")
    return _Search(position, budget).solution()


def hint(position: Puzzle, *, budget: int = BUDGET) -> Walk | None:
    """Return the first move of a solution; None if the goal is met already or none was found."""
    solution = solve(position, budget=budget)
    return solution.moves[0] if solution and solution.moves else None


class _Search:
    """The search from one position; it caches which chains can be split down."""

    def __init__(self, position: Puzzle, budget: int) -> None:
        self.position, self.cells = position, position.cells
        self.ends = _ends(position.layout)
        self.budget, self.looked, self.limit = budget, 0, 0
        self.shortest = True
        self.known: dict[Chain, Swaps | None] = {}
        self.hopeless: set[tuple[frozenset[Chain], int]] = set()

    def solution(self) -> Solution | None:
        """Return the first solution by increasing length, trying targets without wasted moves first."""
        by_distance: list[list[Target]] = []
        for length in range(_MOST_MOVES):
            near: list[Target] = []
            for target in targets(self.cells, self.position.goal, length):
                near.append(target)
                if (swaps := self._swaps_within_budget(target, 0)) is not None:
                    return Solution(self._walks(swaps), self.shortest)
            for wasted, further in enumerate(reversed(by_distance), start=1):
                for target in further:
                    if (swaps := self._swaps_within_budget(target, wasted)) is not None:
                        return Solution(self._walks(swaps), self.shortest)
            by_distance.append(near)
        return None

    def _swaps_within_budget(self, target: Target, wasted: int) -> Swaps | None:
        self.limit = self.looked + self.budget
        try:
            return self._swaps_to(target, wasted)
        except BudgetSpent:
            self.shortest = False
            return None

    def _swaps_to(self, target: Target, wasted: int) -> Swaps | None:
        """Return exchanges that reach the target with exactly `wasted` wasted moves, or None."""
        closed, opened = chains(target)
        fixed = [self._chain(spaces) for spaces in closed]
        if wasted < 2 and any(self._split_down(chain) is None for chain in fixed):
            return None
        for joins in range(wasted % 2, min(wasted + 1, len(opened) or 1), 2):
            for paths in _joined(opened, joins):
                swaps = self._swaps_undoing([*fixed, *map(self._chain, paths)], wasted - joins)
                if swaps is not None:
                    return swaps
        return None

    def _swaps_undoing(self, every: Sequence[Chain], wasted: int) -> Swaps | None:
        """Return exchanges that resolve all these chains with `wasted` wasted moves, or None.

        Moves are wasted by joining closed chains.
        """
        down = [self._split_down(chain) for chain in every]
        bad = [chain for chain, swaps in zip(every, down, strict=True) if swaps is None]
        if not bad:
            return _in_turn(down)
        if wasted < 2:
            return None
        for group in _groups(every, bad, wasted):
            swaps = self._swaps_mixing(frozenset(group), wasted)
            if swaps is not None:
                return swaps + _in_turn([d for c, d in zip(every, down, strict=True) if c not in group])
        return None

    def _split_down(self, chain: Chain) -> Swaps | None:
        """Return exchanges that resolve this chain by splits alone; None if there are none."""
        if len(chain[0]) == 1:
            return ()
        if chain in self.known:
            return self.known[chain]
        self._count_step()
        self.known[chain] = self._first_split(chain)
        return self.known[chain]

    def _first_split(self, chain: Chain) -> Swaps | None:
        for one, other in itertools.combinations(range(len(chain[0])), 2):
            if not self._can_swap(chain, one, chain, other):
                continue
            inner, outer = _split_chain(chain, one, other)
            rest = self._split_down(inner)
            if rest is None:
                continue
            more = self._split_down(outer)
            if more is not None:
                return ((chain[0][one], chain[0][other]), *rest, *more)
        return None

    def _swaps_mixing(self, group: frozenset[Chain], wasted: int) -> Swaps | None:
        """Return exchanges that resolve these chains by splits and joins; None if there are none."""
        down = [self._split_down(chain) for chain in group]
        if None not in down:
            return _in_turn(down)
        if wasted < 2 or (group, wasted) in self.hopeless:
            return None
        self._count_step()
        for swap, after, cost in self._exchanges(group):
            rest = self._swaps_mixing(after, wasted - cost)
            if rest is not None:
                return (swap, *rest)
        self.hopeless.add((group, wasted))
        return None

    def _exchanges(self, group: frozenset[Chain]) -> Iterator[tuple[Swap, frozenset[Chain], int]]:
        """Yield exchanges within these chains, joins first, with the new chains and wasted moves."""
        ordered = sorted(group)
        for one, other in itertools.combinations(ordered, 2):
            for i, j in itertools.product(range(len(one[0])), range(len(other[0]))):
                if self._can_swap(one, i, other, j):
                    yield (one[0][i], other[0][j]), group - {one, other} | {_joined_chain(one, i, other, j)}, 2
        for chain in ordered:
            for i, j in itertools.combinations(range(len(chain[0])), 2):
                if self._can_swap(chain, i, chain, j):
                    yield (chain[0][i], chain[0][j]), group - {chain} | set(_split_chain(chain, i, j)), 0

    def _can_swap(self, one: Chain, i: int, other: Chain, j: int) -> bool:
        here, there = one[0][i], other[0][j]
        return bool(self.ends[one[1][i]][here] >> there & 1 or self.ends[other[1][j]][there] >> here & 1)

    def _chain(self, spaces: tuple[int, ...]) -> Chain:
        least = spaces.index(min(spaces))
        turned = spaces[least:] + spaces[:least]
        return turned, "".join(self.cells[space] for space in turned)

    def _count_step(self) -> None:
        self.looked += 1
        if self.looked > self.limit:
            raise BudgetSpent

    def _walks(self, swaps: Swaps) -> tuple[Walk, ...]:
        """Convert the exchanges to moves, up to the one that meets the goal."""
        cells, walks = self.cells, []
        for one, other in swaps:
            if is_met(cells, self.position.goal):
                break
            start, to = (one, other) if self.ends[cells[one]][one] >> other & 1 else (other, one)
            walks.append(Walk(cells[start], start, to))
            cells = with_exchange(cells, one, other)
        return tuple(walks)


@cache
def _ends(layout: str) -> dict[str, tuple[int, ...]]:
    """Return, for each button and start, the bit set of the spaces where it can end."""
    return {
        button: tuple(sum(1 << space for space in ends) for ends in by_start)
        for button, by_start in reach_of(layout).items()
    }


def _split_chain(chain: Chain, i: int, j: int) -> tuple[Chain, Chain]:
    """Split a chain by an exchange at two of its indices, the lower first."""
    spaces, buttons = chain
    inner = spaces[i + 1 : j + 1], buttons[i + 1 : j] + buttons[i]
    outer = spaces[: i + 1] + spaces[j + 1 :], buttons[:i] + buttons[j:]
    return inner, outer


def _joined_chain(one: Chain, i: int, other: Chain, j: int) -> Chain:
    """Join two chains by an exchange between them, at these indices."""
    spaces = one[0][i + 1 :] + one[0][: i + 1] + other[0][j + 1 :] + other[0][: j + 1]
    buttons = one[1][i + 1 :] + one[1][:i] + other[1][j] + other[1][j + 1 :] + other[1][:j] + one[1][i]
    return spaces, buttons


def _joined(opened: list[tuple[int, ...]], joins: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield the open chains after each way of joining `joins` of them to others."""
    if joins == 0:
        yield opened
        return
    for one, other in itertools.combinations(opened, 2):
        rest = [chain for chain in opened if chain not in (one, other)]
        yield from _joined([one + other, *rest], joins - 1)


def _groups(every: Sequence[Chain], bad: list[Chain], wasted: int) -> Iterator[list[Chain]]:
    """Yield groups of chains to combine; for one join, the unsplittable ones and one more."""
    if wasted > 2:
        yield list(every)
    elif len(bad) == 2:
        yield bad
    elif len(bad) == 1:
        yield bad
        yield from ([*bad, chain] for chain in every if chain not in bad)


def _in_turn(parts: Sequence[Swaps | None]) -> Swaps:
    return tuple(itertools.chain.from_iterable(part for part in parts if part))
