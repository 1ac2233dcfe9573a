"""Who plays whom if all play all: sections of a field, and Berger tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from correspondence.features.tournaments.formats.field import Pairing

__all__ = ["SMALLEST_SECTION", "berger", "schedule", "section_sizes", "snake"]

SMALLEST_SECTION, LARGEST_SECTION, BEST_SIZE = 4, 9, 7
"""Sizes of sections if there are several. A single section may have three entrants."""


def section_sizes(
    entrants: int, smallest: int = SMALLEST_SECTION, largest: int = LARGEST_SECTION, best: int = BEST_SIZE
) -> list[int]:
    """Return the sizes of as equal sections as possible, nearest to `best`; one section if none fits."""
    fitting = [k for k in range(1, entrants + 1) if entrants // k >= smallest and -(-entrants // k) <= largest]
    count = min(fitting, key=lambda k: abs(entrants / k - best), default=1)
    return [entrants // count + (place < entrants % count) for place in range(count)]


def snake(ids: Sequence[int], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Distribute ids in order of strength: forwards over the sections, then backwards, so that they are balanced."""
    sections: list[list[int]] = [[] for _ in sizes]
    order = [place for lap in range(max(sizes, default=0)) for place in _lap(len(sizes), lap)]
    places = iter([place for lap, place in enumerate(order) if lap // len(sizes) < sizes[place]])
    for one in ids:
        sections[next(places)].append(one)
    return [tuple(section) for section in sections]


def _lap(count: int, lap: int) -> range:
    return range(count) if lap % 2 == 0 else range(count - 1, -1, -1)


def berger(ids: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Return the rounds of the Berger table of these entrants, each game as its first and second seat.

    With an odd number one entrant is free in each round. Seats of an entrant differ by one at most.
    """
    even = len(ids) + len(ids) % 2
    rounds = []
    for number in range(1, even):
        games = [(a, b) for a, b in _berger_round(even, number) if max(a, b) <= len(ids)]
        rounds.append([(ids[a - 1], ids[b - 1]) for a, b in games])
    return rounds


def _berger_round(even: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield the games of a round by table numbers; the last number turns with none of the others."""
    cycle = even - 1
    middle = (number + 1) // 2 if number % 2 else (number + even) // 2
    yield (middle, even) if number % 2 else (even, middle)
    for step in range(1, even // 2):
        yield (middle + step - 1) % cycle + 1, (middle - step - 1) % cycle + 1


def schedule(ids: Sequence[int], *, round: int, section: int, games: int) -> tuple[Pairing, ...]:
    """Return all games of a section in the order of its Berger table; the second leg has the seats exchanged."""
    return tuple(
        Pairing(round=round, section=section, seats=seats if leg == 1 else seats[::-1], leg=leg)
        for of_round in berger(ids)
        for seats in of_round
        for leg in range(1, games + 1)
    )
