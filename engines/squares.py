"""Square names, directions and rays of rectangular boards.

Squares are numbered from a1 by index = rank * files + file. Files are lettered from the left, ranks counted from the
bottom, as seen by seat 0.
"""

from __future__ import annotations

from functools import cache

Step = tuple[int, int]
"""One step: files to the right, ranks upward."""

NORTH, EAST, SOUTH, WEST = (0, 1), (1, 0), (0, -1), (-1, 0)
ORTHOGONAL: tuple[Step, ...] = (NORTH, EAST, SOUTH, WEST)
DIAGONAL: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT: tuple[Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def square_name(square: int, files: int) -> str:
    """Return the name of a square: “a1” for 0."""
    rank, file = divmod(square, files)
    return f"{chr(ord('a') + file)}{rank + 1}"


@cache
def names(files: int, ranks: int) -> tuple[str, ...]:
    """Return all names of a board by square number."""
    return tuple(square_name(square, files) for square in range(files * ranks))


@cache
def ray(square: int, step: Step, files: int, ranks: int) -> tuple[int, ...]:
    """Return the squares met from `square` in one direction to the edge, nearest first."""
    rank, file = divmod(square, files)
    met = []
    while 0 <= (file := file + step[0]) < files and 0 <= (rank := rank + step[1]) < ranks:
        met.append(rank * files + file)
    return tuple(met)


@cache
def neighbours(square: int, steps: tuple[Step, ...], files: int, ranks: int) -> tuple[int, ...]:
    """Return the squares one of these steps away, in the order of the steps."""
    return tuple(ray(square, step, files, ranks)[0] for step in steps if ray(square, step, files, ranks))
