"""Plateau's `Position`, which delegates each method to another module."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from engines.base import GuideLine, Position, Seat, Viewer
from engines.plateau import hidden, moves, notation, objections, picture, position_text, touches, turns
from engines.plateau.guide import guide
from engines.plateau.moves import Move
from engines.plateau.state import State
from engines.scene import Scene


@dataclass(frozen=True, slots=True)
class Plateau(State, Position[Move]):
    """A state of Plateau that implements `Position`."""

    @classmethod
    def from_text(cls, text: str) -> Plateau:
        """Parse a position text; see `position_text.read`. Raises ValueError."""
        return position_text.read(cls, text)

    def to_text(self) -> str:
        """Write the position text; see `position_text.write`."""
        return position_text.write(self)

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Yield every legal move: onboardings, movements, stomps, tenders, or a forced pass."""
        return moves.legal_moves(self, seat)

    def after(self, seat: Seat, move: Move) -> Plateau:
        """Return the next position.

        Raises Hidden if it depends on hidden information, such as a captured piece's type.
        """
        return turns.after(self, seat, move)

    def write(self, seat: Seat, move: Move) -> str:
        """Write the canonical text, which is also the long form."""
        return notation.write(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """Parse a legal move; raise MoveError with suggestions."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Explain why the move is illegal; None if it is legal."""
        return objections.objection(self, seat, move)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a uniformly random move; with hidden information, one that is legal in every case."""
        self._must_act(seat)
        return moves.random_move(self, seat, rng)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return one turn of each kind that is legal now."""
        return tuple(guide(self, seat)) if seat in self.to_act else ()

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """Return the move as touches.

        For a new piece: piece, side, square, place. For a movement: from, to, counts. For an exchange: prisoners, then
        done.
        """
        return touches.touches(self, seat, move)

    def draw(self) -> Scene:
        """Draw everything in this position."""
        return picture.draw(self)

    def view(self, viewer: Viewer) -> Plateau:
        """Redact the position for the viewer: own pieces in full, others as shown.

        After the game everything is shown (R7).
        """
        return hidden.view(self, viewer)

    def imagine(self, viewer: Viewer, rng: random.Random) -> Plateau:
        """Return a random complete position that looks the same to the viewer."""
        return hidden.imagine(self, viewer, rng)

    def tell(self, seat: Seat, move: Move, viewer: Viewer, now: Position[Move]) -> str:
        """Write the move in public form with what it revealed.

        The text is complete for the player who made it, and for everyone after the game.
        """
        return hidden.tell(self, seat, move, viewer, now.outcome is not None)
