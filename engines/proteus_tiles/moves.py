"""The moves of Proteus with tiles: place something, move a piece, or exchange two tiles."""

from __future__ import annotations

from dataclasses import dataclass

from engines.proteus_tiles.tiles import PAIRS, SHAPES, SPACES, TILES

PLACE, STEP, EXCHANGE = "@", "-", "="
"""The signs of the three kinds of move."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn: `what` is placed on, moved to or exchanged with the space `to`.

    `what` is a tile (“Mo”), a piece of the player (“o”), or a space whose tile is exchanged with that of `to`. Of two
    exchanged spaces, `what` is the first in board order.
    """

    what: str
    sign: str
    to: str

    @property
    def text(self) -> str:
        """The notation without marks: “Mo@b2”, “s@a1”, “oc3”, “a1=c3”."""
        return f"{self.what}{self.to}" if self.sign == STEP else f"{self.what}{self.sign}{self.to}"


PLACINGS: dict[str, tuple[Move, ...]] = {
    thing: tuple(Move(thing, PLACE, to) for to in SPACES) for thing in (*TILES, *SHAPES)
}
"""The placements of each tile and piece, by the number of the space."""

STEPS: dict[str, tuple[Move, ...]] = {shape: tuple(Move(shape, STEP, to) for to in SPACES) for shape in SHAPES}
"""The moves of the piece of each shape, by the number of the target space."""

EXCHANGES: dict[tuple[int, int], Move] = {
    (one, other): Move(SPACES[one], EXCHANGE, SPACES[other]) for one, other in PAIRS
}
"""The exchanges by their two spaces."""

READINGS: dict[str, tuple[Move, str]] = {
    **{move.text.lower(): (move, "") for moves in PLACINGS.values() for move in moves},
    **{move.text: (move, "") for moves in STEPS.values() for move in moves},
    **{move.text: (move, "") for move in EXCHANGES.values()},
    **{f"{move.to}={move.what}": (move, "") for move in EXCHANGES.values()},
    **{
        f"{move.what}{start}-{move.to}": (move, start)
        for moves in STEPS.values()
        for move in moves
        for start in SPACES
        if start != move.to
    },
}
"""Every lower-case spelling of a move without marks, with the move and the stated start."""
