"""`Position` of Proteus with tiles: the rules of `state` with notation, errors and picture."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Self

from engines.base import GuideLine, Position, Seat
from engines.proteus_tiles import layout, notation, picture, refusals
from engines.proteus_tiles.moves import Move
from engines.proteus_tiles.state import State
from engines.scene import Scene


@dataclass(frozen=True, slots=True)
class Tiles(State, Position[Move]):
    """A position of Proteus with tiles that implements `Position`."""

    @classmethod
    def from_text(cls, text: str, *, draws: bool = False) -> Self:
        """Parse a position text such as “Mo*Bo,-,Gt/Ms,-,-/-,-,- B P”.

        It lists the cells of the rows from the top, the seat to move, and the phase. A seat that cannot act passes, and
        wins are detected. The history is empty. Raises ValueError with a sentence.
        """
        tiles, pieces, lit, seat = layout.read(text)
        return cls.on_board(tiles, pieces, lit, seat, draws=draws)

    def to_text(self) -> str:
        """Write the position text that `from_text` parses, without history."""
        return layout.write(self)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a uniformly random legal move."""
        self._must_act(seat)
        return self.random_action(seat, rng)

    def write(self, seat: Seat, move: Move) -> str:
        """Write the canonical text: the action, each tile activated, `#` if somebody has won."""
        return notation.write(self, seat, move)

    def write_long(self, seat: Seat, move: Move) -> str:
        """Write the text with the start of a moving piece: “oa1-c3+Ms”."""
        return notation.write_long(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """Parse a legal move, with or without marks; raise MoveError."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Explain in a sentence why the move is illegal; None if it is legal."""
        return None if self.is_legal(seat, move) else refusals.why_not(self, seat, move)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return one legal turn of each kind."""
        return tuple(notation.guide(self, seat)) if seat in self.to_act else ()

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """Return the touches: the thing moved and its target; or `exchange` and two spaces."""
        return picture.touches(self, seat, move)

    def draw(self) -> Scene:
        """Draw the position; nothing is hidden in this game."""
        return picture.draw(self)
