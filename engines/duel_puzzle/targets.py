"""Target arrangements of the Puzzle that meet a goal, enumerated by distance.

A target gives each button a space, or none. So spaces form chains: each space points to the target of its button. An
exchange splits at most one chain, and a button is in place once its chain is a single space. So a target with n buttons
to place and c closed chains is at least n - c moves away. `targets` enumerates those at one distance and prunes the
others early.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from engines.bridges import SIDE, SPACES
from engines.buttons import BLACK, SETS, WHITE

Target = tuple[int, ...]
"""For each space the target space of its button; `CONTENT` if it may end anywhere."""

CONTENT = -1
"""The target of a button that may end anywhere."""

Plan = tuple[tuple[int, int], ...]
"""Pairs of spaces, a white one and a black one, that must hold the same value."""

_ROWS = tuple(tuple(range(first, first + SIDE)) for first in range(0, SPACES, SIDE))
_COLUMNS = tuple(tuple(range(file, SPACES, SIDE)) for file in range(SIDE))
_VALUES = tuple(range(8))


def targets(cells: str, goal: int, distance: int) -> Iterator[Target]:
    """Yield every target of the goal that is `distance` exchanges away, ignoring bridges."""
    for plan in _plans(goal):
        yield from _Filling(cells, goal, plan, distance).targets(0, ())


def chains(target: Target) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the closed and the open chains of a target.

    A space whose button is already in place is a closed chain.
    """
    wanted = set(target)
    opened = [_chain(target, space) for space in range(SPACES) if space not in wanted]
    rest = set(range(SPACES)).difference(*opened)
    closed = []
    while rest:
        closed.append(_chain(target, min(rest)))
        rest.difference_update(closed[-1])
    return closed, opened


class _Filling:
    """Enumerates the values that fill, pair by pair, the spaces of one plan.

    `first` and `last` map one end of each chain fragment to the other end.
    """

    def __init__(self, cells: str, goal: int, plan: Plan, distance: int) -> None:
        self.white = [cells.index(button) for button in SETS[WHITE]]
        self.black = [cells.index(button) for button in SETS[BLACK]]
        self.goal, self.plan, self.distance = goal, plan, distance
        self.want = [CONTENT] * SPACES
        self.first, self.last = list(range(SPACES)), list(range(SPACES))

    def targets(self, wants: int, values: tuple[int, ...]) -> Iterator[Target]:
        """Yield the targets that begin with these values; `wants` is their distance so far."""
        filled = len(values)
        if filled == len(self.plan):
            if wants == self.distance:
                yield tuple(self.want)
            return
        white, black = self.plan[filled]
        for value in _next_values(self.goal, values):
            one, other = self.white[value], self.black[value]
            now = wants + self._tie(one, white) + self._tie(other, black)
            if now <= self.distance <= now + 2 * (len(self.plan) - filled - 1):
                yield from self.targets(now, (*values, value))
            self._untie(other, black)
            self._untie(one, white)

    def _tie(self, here: int, there: int) -> int:
        """Link this space to its button's target; return 0 if that closes a chain, otherwise 1."""
        self.want[here] = there
        start, end = self.first[here], self.last[there]
        if start == there:
            return 0
        self.last[start], self.first[end] = end, start
        return 1

    def _untie(self, here: int, there: int) -> None:
        self.want[here] = CONTENT
        if self.first[here] != there:
            start, end = self.first[here], self.last[there]
            self.last[start], self.first[end] = here, there


def _chain(target: Target, start: int) -> tuple[int, ...]:
    spaces, here = [start], target[start]
    while here not in (CONTENT, start):
        spaces.append(here)
        here = target[here]
    return tuple(spaces)


def _next_values(goal: int, values: tuple[int, ...]) -> tuple[int, ...]:
    if goal in (1, 3):
        return tuple(value for value in _VALUES if value not in values)
    return _continued(goal).get(values, ())


@cache
def _continued(goal: int) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Return the values that may follow each prefix of a sequence allowed by goals 2 and 4."""
    further: dict[tuple[int, ...], set[int]] = {}
    for sequence in _sequences(goal):
        for length, value in enumerate(sequence):
            further.setdefault(sequence[:length], set()).add(value)
    return {beginning: tuple(sorted(values)) for beginning, values in further.items()}


def _sequences(goal: int) -> list[tuple[int, ...]]:
    runs = [_VALUES[first : first + SIDE] for first in range(len(_VALUES) - SIDE + 1)]
    both = [*runs, *(run[::-1] for run in runs)]
    if goal == 2:
        return both
    return [one + other for one in both for other in both if sorted(one + other) == list(_VALUES)]


@cache
def _plans(goal: int) -> tuple[Plan, ...]:
    plans: list[Plan] = []
    for lines in (_ROWS, _COLUMNS):
        if goal in (1, 2):
            plans += [tuple(zip(*pair, strict=True)) for pair in itertools.permutations(lines, 2)]
            continue
        for one, other in itertools.combinations(lines, 2):
            for black in itertools.permutations([line for line in lines if line not in (one, other)]):
                plans.append(tuple(zip(one + other, black[0] + black[1], strict=True)))
    return tuple(plans)
