"""Duel's `Position`: the rules of `state` with notation, picture and position text."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engines import bridges
from engines.base import GuideLine, Position, Seat
from engines.bridges import NAMES
from engines.buttons import BLACK, EMPTY, FROM_TEXT, TEXTS, VALUES, read_rows, write_rows
from engines.duel import notation, picture
from engines.duel.moves import Action, Place
from engines.duel.state import NOBODY, State
from engines.scene import Scene
from engines.walks import Walk, way_of


@dataclass(frozen=True, slots=True)
class Duel(State, Position[Action]):
    """A position of Duel that implements `Position`."""

    @classmethod
    def start(cls, layout: str) -> Duel:
        """Return the empty board; Black begins (D-a)."""
        return cls.reached(layout, EMPTY * bridges.SPACES, BLACK, NOBODY, "")

    @classmethod
    def from_text(cls, text: str, layout: str = "ring") -> Duel:
        """Parse a position written by `to_text`, without history.

        The format is rows 4/3/2/1, side to act, barred pair or “-”. The pair may be left out. Raises ValueError if the
        text is invalid.
        """
        rows, side, *pair = text.split()
        if side.upper() not in ("B", "W") or len(pair) > 1:
            raise ValueError("after the board stand the side to act, B or W, and the barred pair, or -")
        barred = _pair("".join(pair).casefold())
        return cls.reached(layout, read_rows(rows), "BW".index(side.upper()), barred, "")

    def to_text(self) -> str:
        """Write the position as text, without its history."""
        pair = "-" if self.barred == NOBODY else "".join(TEXTS[button] for button in self.barred)
        return f"{write_rows(self.cells)} {'BW'[self.side]} {pair}"

    def random_move(self, seat: Seat, rng: random.Random) -> Action:
        """Draw a uniformly random move."""
        self._must_act(seat)
        return self.random_action(seat, rng)

    def write(self, seat: Seat, move: Action) -> str:
        """Write the canonical text: `5@b3`, `5c4`, `5c4=W3`, with `#` if the move wins."""
        return notation.write(self, seat, move)

    def write_long(self, seat: Seat, move: Action) -> str:
        """Write the text with the start of a walk: `5b3-c4=W3`."""
        return notation.write_long(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Action:
        """Parse a legal action; raise MoveError."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return a placement and a walk that are legal now."""
        return tuple(notation.guide(self, seat)) if seat in self.to_act else ()

    def touches(self, seat: Seat, move: Action) -> tuple[str, ...]:
        """Return the touches: a button of the supply or its space, then the target space."""
        if isinstance(move, Place):
            return f"hand:{VALUES[move.button]}", NAMES[move.to]
        return NAMES[move.start], NAMES[move.to]

    def way(self, seat: Seat, move: Action) -> tuple[str, ...]:
        """Return one path of a walk over its bridges."""
        return way_of(self.layout, move) if isinstance(move, Walk) else ()

    def draw(self) -> Scene:
        """Draw the whole position; nothing is hidden in Duel."""
        return picture.draw(self)


def _pair(named: str) -> str:
    if named in ("", "-"):
        return NOBODY
    buttons = {FROM_TEXT.get(named[:2], EMPTY), FROM_TEXT.get(named[2:], EMPTY)}
    if EMPTY in buttons or len(buttons) != 2:
        raise ValueError(f"{named!r} is no pair of buttons")
    return "".join(sorted(buttons))
