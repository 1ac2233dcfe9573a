"""Ranks: groups of entrants who are level, split by one tie-break after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from correspondence.features.tournaments.formats.field import Pairing

__all__ = ["Splitter", "by_direct_encounter", "by_value", "ranks", "split"]

Splitter = Callable[[Sequence[int]], list[list[int]]]
"""Splits entrants who are level into smaller groups, best first."""


def by_value(value: Callable[[int], float]) -> Splitter:
    """Return the splitter by a number, highest first."""

    def splitter(level: Sequence[int]) -> list[list[int]]:
        values = {one: value(one) for one in level}
        return [[one for one in level if values[one] == each] for each in sorted(set(values.values()), reverse=True)]

    return splitter


def by_direct_encounter(pairings: Sequence[Pairing]) -> Splitter:
    """Return the splitter by points among those level, applied again to each group that it leaves level."""

    def splitter(level: Sequence[int]) -> list[list[int]]:
        groups = by_value(among(pairings, level).__getitem__)(level)
        return groups if len(groups) == 1 else [part for group in groups for part in _again(group)]

    def _again(group: list[int]) -> list[list[int]]:
        return splitter(group) if len(group) > 1 else [group]

    return splitter


def among(pairings: Iterable[Pairing], level: Sequence[int]) -> Mapping[int, float]:
    """Return each entrant's points in the games among these entrants."""
    inside = frozenset(level)
    points = dict.fromkeys(level, 0.0)
    for pairing in pairings:
        if inside.issuperset(pairing.seats):
            for seat in pairing.seats:
                points[seat] += pairing.points(seat)
    return points


def split(level: Sequence[int], splitters: Sequence[Splitter]) -> list[list[int]]:
    """Return groups, best first, that no splitter separates any more."""
    groups = [list(level)] if level else []
    for splitter in splitters:
        groups = [part for group in groups for part in (splitter(group) if len(group) > 1 else [group])]
    return groups


def ranks(groups: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield each entrant with their rank. Groups share a rank, and the next one counts on: 1, 1, 3."""
    rank = 1
    for group in groups:
        yield from ((one, rank) for one in group)
        rank += len(group)
