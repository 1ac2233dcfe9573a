"""Boards of coloured bridges for Duel: data, reachable spaces, legality of written paths.

There are sixteen spaces in four rows and columns, joined by bridges. A button crosses as many bridges as its number. It
may cross red bridges and those of its own colour, none twice in one move. Other buttons do not block it, and it may
pass a space repeatedly.

The printed board of Duel could not be found, so both boards here are this project's own. To add one, add a picture to
`PICTURES`; a blank is a missing bridge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from engines.squares import ORTHOGONAL, names, neighbours, ray
from engines.wording import N_, _

SIDE = 4
"""Number of spaces in a row and in a column."""

SPACES = SIDE * SIDE
"""Number of spaces; a1 is number 0, b1 number 1, a2 number 4."""

NAMES = names(SIDE, SIDE)
"""The names of the spaces by number."""

NUMBERS: Mapping[str, int] = MappingProxyType({name: number for number, name in enumerate(NAMES)})
"""The numbers of the spaces by name."""

NEIGHBOURS = tuple(neighbours(space, ORTHOGONAL, SIDE, SIDE) for space in range(SPACES))
"""The spaces adjacent to each space in its row or column, bridged or not."""

COMPASS = dict(zip("nesw", ORTHOGONAL, strict=True))
"""The letters of a written path and their directions."""

Colour = Literal["red", "black", "white"]

PICTURES: Mapping[str, str] = MappingProxyType(
    {
        "ring": """\
o-r-o-r-o-r-o
r   b   b   r
o-w-o-b-o-w-o
r   w   w   r
o-w-o-b-o-w-o
r   b   b   r
o-r-o-r-o-r-o""",
        "sun": """\
o-w-o-w-o-w-o
b   r   r   b
o-r-o-b-o-r-o
b   w   w   b
o-r-o-b-o-r-o
b   r   r   b
o-w-o-w-o-w-o""",
    }
)
"""The boards as pictures, row 4 on top: o a space; r, b and w a red, black or white bridge."""

_COLOURS: Mapping[str, Colour] = {"r": "red", "b": "black", "w": "white"}
_PASSABLE: tuple[frozenset[Colour], ...] = (frozenset({"red", "black"}), frozenset({"red", "white"}))
_TRESPASS = (
    N_(
        "Step {count} of the path, {letter}, crosses the white bridge {bridge}; "
        "Black's buttons use red and black ones only."
    ),
    N_(
        "Step {count} of the path, {letter}, crosses the black bridge {bridge}; "
        "White's buttons use red and white ones only."
    ),
)


@dataclass(frozen=True, eq=False)
class BridgeBoard:
    """A board with its precomputed destinations.

    `bridges` maps two spaces, the smaller number first, to the bridge's colour. `reach[seat][value][start]` lists the
    spaces where a button can end, ordered by name.
    """

    name: str
    bridges: Mapping[tuple[int, int], Colour]
    reach: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]


@cache
def board(name: str) -> BridgeBoard:
    """Return the board called `name`; raise KeyError if it does not exist."""
    bridges = _bridges(PICTURES[name])
    return BridgeBoard(name, MappingProxyType(bridges), tuple(_reach(bridges, seat) for seat in (0, 1)))


def walk_paths(board: BridgeBoard, seat: int, start: int, value: int, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield the letters and the end of every legal walk of a button that begins with `path`.

    `path` itself must be legal.
    """
    here, crossed = _followed(start, path)
    yield from _onward(board, seat, here, value - len(path), path, crossed)


def first_fault(board: BridgeBoard, seat: int, start: int, path: str) -> str | None:
    """Explain the first illegal step of a path of the letters n, e, s, w; None if legal."""
    here, crossed = start, set[tuple[int, int]]()
    for count, letter in enumerate(path, start=1):
        there = _beside(here, letter)
        if there is None:
            return _("Step {count} of the path, {letter} from {here}, leaves the board.").format(
                count=count, letter=letter.upper(), here=NAMES[here]
            )
        bridge = _joint(here, there)
        fault = _fault(board, seat, bridge, bridge in crossed)
        if fault:
            return _(fault).format(count=count, letter=letter.upper(), bridge=bridge_name(bridge))
        crossed.add(bridge)
        here = there
    return None


def end_of(start: int, path: str) -> int:
    """Return the space where a legal path ends."""
    return _followed(start, path)[0]


def bridge_name(bridge: tuple[int, int]) -> str:
    """Name a bridge by its two ends, “a1-a2”."""
    return f"{NAMES[bridge[0]]}-{NAMES[bridge[1]]}"


def _fault(board: BridgeBoard, seat: int, bridge: tuple[int, int], again: bool) -> str:
    colour = board.bridges.get(bridge)
    if colour is None:
        return N_("Step {count} of the path, {letter}: there is no bridge {bridge}.")
    if colour not in _PASSABLE[seat]:
        return _TRESPASS[seat]
    if again:
        return N_("Step {count} of the path, {letter}, crosses the bridge {bridge} a second time.")
    return ""


def _bridges(picture: str) -> dict[tuple[int, int], Colour]:
    lines = [line.ljust(4 * SIDE - 3) for line in reversed(picture.splitlines())]
    bridges = {}
    for number in range(SPACES):
        rank, file = divmod(number, SIDE)
        for there in NEIGHBOURS[number]:
            if there > number:
                beside = there == number + 1
                sign = lines[2 * rank][4 * file + 2] if beside else lines[2 * rank + 1][4 * file]
                if sign in _COLOURS:
                    bridges[number, there] = _COLOURS[sign]
    return bridges


def _reach(bridges: Mapping[tuple[int, int], Colour], seat: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Precompute destinations by value and start; there are none for the unused value 0."""
    exits: list[list[tuple[int, int]]] = [[] for _space in range(SPACES)]
    for number, ((one, other), colour) in enumerate(bridges.items()):
        if colour in _PASSABLE[seat]:
            exits[one].append((other, 1 << number))
            exits[other].append((one, 1 << number))
    walks = [{(start, 0)} for start in range(SPACES)]
    reach: list[tuple[tuple[int, ...], ...]] = [((),) * SPACES]
    for _value in range(1, 9):
        walks = [
            {(there, used | bit) for here, used in walk for there, bit in exits[here] if not used & bit}
            for walk in walks
        ]
        ends = [{end for end, _used in walk} - {start} for start, walk in enumerate(walks)]
        reach.append(tuple(tuple(sorted(places, key=NAMES.__getitem__)) for places in ends))
    return tuple(reach)


def _joint(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _beside(space: int, letter: str) -> int | None:
    met = ray(space, COMPASS[letter], SIDE, SIDE)
    return met[0] if met else None


def _followed(start: int, path: str) -> tuple[int, frozenset[tuple[int, int]]]:
    here, crossed = start, []
    for letter in path:
        there = _beside(here, letter)
        if there is None:
            raise ValueError(f"{letter} leaves the board from {NAMES[here]}")
        crossed.append(_joint(here, there))
        here = there
    return here, frozenset(crossed)


def _onward(
    board: BridgeBoard, seat: int, here: int, steps: int, path: str, crossed: frozenset[tuple[int, int]]
) -> Iterator[tuple[str, int]]:
    if steps == 0:
        yield path, here
        return
    for letter in COMPASS:
        there = _beside(here, letter)
        if there is None:
            continue
        bridge = _joint(here, there)
        if board.bridges.get(bridge) in _PASSABLE[seat] and bridge not in crossed:
            yield from _onward(board, seat, there, steps - 1, path + letter, crossed | {bridge})
