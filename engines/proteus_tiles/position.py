"""`Position` of Proteus with tiles: rules of `state`, notation, refusals and picture."""

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
    """A position of Proteus with tiles that fulfils the contract of games."""

    @classmethod
    def from_text(cls, text: str, *, draws: bool = False) -> Self:
        """Read a text such as “Mo*Bo,-,Gt/Ms,-,-/-,-,- B P”: cells of the rows from the top, side
        to move, phase. A seat that cannot act passes, wins are detected; the history is empty.

        Raises ValueError with a sentence on anything else.
        """
        tiles, pieces, lit, seat = layout.read(text)
        return cls.on_board(tiles, pieces, lit, seat, draws=draws)

    def to_text(self) -> str:
        """Return the position text that `from_text` reads, without history."""
        return layout.write(self)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a uniformly random legal move."""
        self._must_act(seat)
        return self.by_lot(seat, rng)

    def write(self, seat: Seat, move: Move) -> str:
        """The canonical text: what is done, each tile activated, `#` if somebody has won."""
        return notation.write(self, seat, move)

    def write_long(self, seat: Seat, move: Move) -> str:
        """The text with the space a moving piece comes from: “oa1-c3+Ms”."""
        return notation.write_long(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """The legal move that `text` names, with or without marks; raises MoveError."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Why the move is not legal, as a sentence; None exactly on legal moves."""
        return None if self.is_legal(seat, move) else refusals.why_not(self, seat, move)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """One of each kind of turn that can be played now."""
        return tuple(notation.guide(self, seat)) if seat in self.to_act else ()

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """The thing moved, then its target; or `exchange`, then two spaces."""
        return picture.touches(self, seat, move)

    def draw(self) -> Scene:
        """Draw the position; nothing is hidden in this game."""
        return picture.draw(self)
