"""The board of Plateau: squares, paths of movement, and places for a new piece."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engines.plateau.pieces import OWNER
from engines.squares import DIAGONAL, ORTHOGONAL, Step, names, ray

SIDE = 4
"""Number of files and of ranks."""

NAMES = names(SIDE, SIDE)
"""The names of the squares by number: a1, b1, …."""

SQUARES = tuple(sorted(range(SIDE * SIDE), key=lambda square: NAMES[square]))
"""The square numbers in the order of position texts: a1, a2, …, d4."""

NUMBER = {name: square for square, name in enumerate(NAMES)}
"""The number of a square by its name."""

PERIMETER = tuple(square for square in SQUARES if NAMES[square][0] in "ad" or NAMES[square][1] in "14")
"""The twelve squares on which the game may be opened, corners included (A1)."""

_DIRECTIONS = {"r": ORTHOGONAL, "b": DIAGONAL, "x": ORTHOGONAL + DIAGONAL}


def _twists(square: int) -> tuple[tuple[int, ...], ...]:
    """Return paths of one step straight, then one diagonally onward, within the board (A8)."""
    return tuple(
        (elbow, end)
        for straight in ORTHOGONAL
        for elbow in ray(square, straight, SIDE, SIDE)[:1]
        for slant in DIAGONAL
        if _onward(straight, slant)
        for end in ray(elbow, slant, SIDE, SIDE)[:1]
    )


def _onward(straight: Step, slant: Step) -> bool:
    return straight[0] * slant[0] + straight[1] * slant[1] > 0


def _rays(face: str, square: int) -> tuple[tuple[int, ...], ...]:
    if face == "o":
        return _twists(square)
    rays = (ray(square, step, SIDE, SIDE) for step in _DIRECTIONS[face])
    return tuple(squares for squares in rays if squares)


RAYS: dict[str, tuple[tuple[tuple[int, ...], ...], ...]] = {
    face: tuple(_rays(face, square) for square in range(SIDE * SIDE)) for face in "rbxo"
}
"""The squares met in each direction, by up face and square; for the Twister bend and end."""


def _paths(face: str, square: int) -> dict[int, tuple[int, ...]]:
    if face == "o":
        return {path[-1]: path for path in RAYS[face][square]}
    return {path[i]: path[: i + 1] for path in RAYS[face][square] for i in range(len(path))}


PATHS: dict[str, tuple[dict[int, tuple[int, ...]], ...]] = {
    face: tuple(_paths(face, square) for square in range(SIDE * SIDE)) for face in "rbxo"
}
"""The one path to each target square, by up face and start square; it includes the target."""


class Landing(NamedTuple):
    """An end of a movement: the squares entered, the last one, and the squares passed before it."""

    steps: tuple[int, ...]
    last: int
    passed: tuple[int, ...]


def _stops(face: str, square: int, size: int) -> tuple[Landing, ...]:
    """Return every end of a movement of `size` pieces, by direction, nearest first.

    Twisters always go to the end of their path.
    """
    return tuple(
        Landing(path[:length], path[length - 1], path[: length - 1])
        for path in RAYS[face][square]
        for length in range(len(path) if face == "o" else 1, len(path) + 1)
        if face == "o" or length <= size
    )


STOPS: dict[str, tuple[tuple[tuple[Landing, ...], ...], ...]] = {
    face: tuple(tuple(_stops(face, square, size) for size in range(SIDE)) for square in range(SIDE * SIDE))
    for face in "rbxo"
}
"""Ends of movements by up face, square and unit size, if they are vacant.

No path is longer than three squares.
"""

FARTHEST = SIDE - 1
"""The unit size from which the reach no longer grows."""

_OWNERS = {ord(sign): str(seat) for sign, seat in OWNER.items()}


@lru_cache(maxsize=4096)
def places(stack: str, seat: int) -> tuple[int, ...]:
    """Return the depths at which the seat may insert a new piece in a stack.

    The piece must touch one of the seat's own pieces (A2–A4).
    """
    if not stack:
        return (0,)
    owners, own = stack.translate(_OWNERS), "01"[seat]
    return tuple(i for i in range(len(owners) + 1) if own in owners[max(i - 1, 0) : i + 1])
