"""The places of the board: a1 in the upper left corner, k11 in the lower right one.

A board is a string of 121 characters, row by row from the top: `B`, `W`, or a point where nothing lies.
"""

from __future__ import annotations

SIZE = 11
FILES = tuple("abcdefghijk")
RANKS = tuple(str(number) for number in range(1, SIZE + 1))
NAMES = tuple(f"{file}{rank}" for rank in RANKS for file in FILES)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
EMPTY = "." * len(NAMES)

FORM = "[a-k](?:1[01]|[1-9])"
"""What a place is called, as a regular expression."""

_AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


def _neighbours(place: int) -> tuple[int, ...]:
    row, column = divmod(place, SIZE)
    around = ((row + down, column + across) for down, across in _AROUND)
    return tuple(r * SIZE + c for r, c in around if 0 <= r < SIZE and 0 <= c < SIZE)


NEIGHBOURS = tuple(_neighbours(place) for place in range(len(NAMES)))
"""The places that touch each place: six within the board, fewer at its sides."""

_LINES = (tuple(range(SIZE)), tuple(range(0, len(NAMES), SIZE)))
"""The side from which each seat starts: Black the top, White the left."""


def mirrored(place: int) -> int:
    """The place on the other side of the long diagonal: what b3 is to Black, c2 is to White."""
    row, column = divmod(place, SIZE)
    return column * SIZE + row


def is_joined(cells: str, seat: int) -> bool:
    """Whether a chain of this seat joins its two sides."""
    stone = "BW"[seat]
    found = {place for place in _LINES[seat] if cells[place] == stone}
    waiting = list(found)
    while waiting:
        for near in NEIGHBOURS[waiting.pop()]:
            if cells[near] == stone and near not in found:
                found.add(near)
                waiting.append(near)
    return any(divmod(place, SIZE)[seat] == SIZE - 1 for place in found)
