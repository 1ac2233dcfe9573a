"""The Puzzle's `Position`: the rules of `state` with notation, picture and position text."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engines.base import CHANCE, GuideLine, Position, Seat
from engines.bridges import NAMES
from engines.buttons import EMPTY, read_rows, write_rows
from engines.duel_puzzle import notation, picture
from engines.duel_puzzle.goals import is_met
from engines.duel_puzzle.moves import Deal, Turn
from engines.duel_puzzle.state import UNDEALT, State
from engines.scene import Scene
from engines.walks import Walk, way_of
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Puzzle(State, Position[Turn]):
    """A position of the Puzzle that implements `Position`."""

    @classmethod
    def start(cls, layout: str, goal: int) -> Puzzle:
        """Return the first position, with all buttons in the bag."""
        return cls(layout, goal, UNDEALT, 0, False)

    @classmethod
    def from_text(cls, text: str, layout: str = "ring", goal: int = 1) -> Puzzle:
        """Parse a position written by `to_text`: rows 4/3/2/1 and the number of moves made.

        The number defaults to 0. Raises ValueError if the text is invalid, or the board neither full nor empty.
        """
        rows, *counted = text.split()
        cells, moves = read_rows(rows), int("".join(counted) or "0")
        if cells == UNDEALT:
            return cls(layout, goal, cells, moves, False)
        if EMPTY in cells or moves < 0 or len(counted) > 1:
            raise ValueError("a Puzzle has all sixteen buttons on the board, then the number of moves made")
        return cls(layout, goal, cells, moves, is_met(cells, goal))

    def to_text(self) -> str:
        """Write the position as text, without the goal and the board's name."""
        return f"{write_rows(self.cells)} {self.moves}"

    def random_move(self, seat: Seat, rng: random.Random) -> Turn:
        """Draw a uniformly random move or deal."""
        self._must_act(seat)
        return self.random_action(seat, rng)

    def write(self, seat: Seat, move: Turn) -> str:
        """Write the canonical text: `W1b4=W2`, with `#` if it meets the goal, or the deal."""
        return notation.write(self, move)

    def write_long(self, seat: Seat, move: Turn) -> str:
        """Write the text with the start of the walk: `W1a4-b4=W2`."""
        return notation.write_long(self, move)

    def parse(self, seat: Seat, text: str) -> Turn:
        """Parse a legal walk or a deal; raise MoveError."""
        self._must_act(seat)
        return notation.parse_deal(self, text) if seat == CHANCE else notation.parse(self, text)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return a walk that is legal now."""
        return tuple(notation.guide(self)) if seat in self.to_act and seat != CHANCE else ()

    def said(self, move: Turn) -> str:
        """Say that the board is full."""
        return _("All sixteen buttons were dealt onto the board.") if isinstance(move, Deal) else ""

    def touches(self, seat: Seat, move: Turn) -> tuple[str, ...]:
        """Return the button's space and the target space; for a deal its text, which has no touches."""
        if isinstance(move, Deal):
            return (self.write(seat, move),)
        return NAMES[move.start], NAMES[move.to]

    def way(self, seat: Seat, move: Turn) -> tuple[str, ...]:
        """Return one path of a walk over its bridges."""
        return way_of(self.layout, move) if isinstance(move, Walk) else ()

    def draw(self) -> Scene:
        """Draw the whole position; nothing is hidden in the Puzzle."""
        return picture.draw(self)
