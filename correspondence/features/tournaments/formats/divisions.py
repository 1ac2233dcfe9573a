"""Divisions of a league's next season: who goes up and down, who returns, and where newcomers join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from correspondence.features.tournaments.formats.schedule import section_sizes

__all__ = ["Returner", "first_divisions", "next_divisions", "rising"]

SMALLEST, LARGEST, BEST_SIZE = 5, 9, 7
"""Sizes of divisions; only the lowest may be smaller."""

FOUNDERS = 3
"""Number of waiting newcomers who found a division."""

LONG_ABSENCE = 3
"""Number of missed seasons that cost one division."""


@dataclass(frozen=True)
class Returner:
    """Somebody who comes back: the division that they had earned, from 1, and how many seasons they missed."""

    id: int
    division: int
    missed: int


def rising(size: int) -> int:
    """Return how many go up from a division: the best sixth, rounded down, one at least."""
    return max(1, size // 6)


def first_divisions(by_strength: Sequence[int]) -> list[list[int]]:
    """Return the divisions of a league's first season, or of waiting newcomers; none for fewer than three."""
    if len(by_strength) < FOUNDERS:
        return []
    rest = iter(by_strength)
    sizes = section_sizes(len(by_strength), SMALLEST, LARGEST, BEST_SIZE)
    return [[next(rest) for _ in range(size)] for size in sizes]


def next_divisions(
    last: Sequence[Sequence[int]], present: frozenset[int], returners: Sequence[Returner], newcomers: Sequence[int]
) -> list[list[int]]:
    """Return the divisions of the next season, highest first.

    `last` holds the divisions of the last season in their final order; `newcomers` come in the order of entry.
    Somebody who finds no room is left out and waits.
    """
    divisions = _moved(last, present)
    waiting = [*_returned(divisions, returners), *newcomers]
    _fill(divisions)
    divisions = [division for division in divisions if division]
    if divisions:
        room = LARGEST - len(divisions[-1])
        divisions[-1] += waiting[:room]
        waiting = waiting[room:]
    return [*_without_rest(divisions), *first_divisions(waiting)]


def _moved(last: Sequence[Sequence[int]], present: frozenset[int]) -> list[list[int]]:
    """Return the divisions after promotion and relegation.

    As many go down as those who go up from below, unless absent members or those who go up themselves make room.
    """
    staying = [[one for one in division if one in present] for division in last]
    up = [own[: rising(len(last[place])) if place else 0] for place, own in enumerate(staying)]
    divisions: list[list[int]] = []
    relegated: list[int] = []
    for place, own in enumerate(staying):
        risen = up[place + 1] if place + 1 < len(up) else []
        middle = own[len(up[place]) :]
        surplus = len(relegated) + len(risen) + len(middle) - len(last[place])
        kept = len(middle) - max(0, min(surplus, len(middle))) if risen else len(middle)
        divisions.append([*middle[:kept], *risen, *relegated])
        relegated = middle[kept:]
    return divisions


def _returned(divisions: list[list[int]], returners: Sequence[Returner]) -> Iterator[int]:
    """Add each returner to their division or the next one with room; yield those who find none."""
    for one in returners:
        wanted = one.division + (one.missed >= LONG_ABSENCE)
        lower = divisions[wanted - 1 :] or divisions[-1:]
        for division in lower:
            if len(division) < LARGEST:
                division.append(one.id)
                break
        else:
            yield one.id


def _fill(divisions: list[list[int]]) -> None:
    """Fill divisions below seven with the best from below, highest division first."""
    for place, division in enumerate(divisions):
        below = [lower for lower in divisions[place + 1 :] if lower]
        while len(division) < BEST_SIZE and below:
            division.append(below[0].pop(0))
            below = [lower for lower in below if lower]


def _without_rest(divisions: list[list[int]]) -> list[list[int]]:
    """Add one or two who are left at the bottom to the division above if it has room."""
    *upper, lowest = divisions or [[]]
    if upper and len(lowest) < FOUNDERS and len(upper[-1]) + len(lowest) <= LARGEST:
        return [*upper[:-1], [*upper[-1], *lowest]]
    return divisions
