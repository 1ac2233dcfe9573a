"""Plateau's `Position`, which delegates each method to the responsible module."""

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
    """A state that fulfils the contract of games."""

    @classmethod
    def from_text(cls, text: str) -> Plateau:
        """The position that a position text describes; see `position_text.read`. Raises ValueError."""
        return position_text.read(cls, text)

    def to_text(self) -> str:
        """The position text; see `position_text.write`."""
        return position_text.write(self)

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Return every legal move.

        Onboardings, movements and stomps, tenders, or a pass if only tenders remain.
        """
        return moves.legal_moves(self, seat)

    def after(self, seat: Seat, move: Move) -> Plateau:
        """Return the next position.

        Raises Hidden if it depends on a blank, such as a captured piece's type.
        """
        return turns.after(self, seat, move)

    def write(self, seat: Seat, move: Move) -> str:
        """The canonical text, which is the long form as well."""
        return notation.write(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """Read the legal move that a text names; raise MoveError with suggestions."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Why the move is not legal; None exactly on legal moves."""
        return objections.objection(self, seat, move)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a uniformly random move; with blanks, one that is legal whatever they hide."""
        self._must_act(seat)
        return moves.random_move(self, seat, rng)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """One of each kind of turn that can be played now."""
        return tuple(guide(self, seat)) if seat in self.to_act else ()

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """Return the move as touches.

        New piece, side, square, place; or from, to, counts; or prisoners and done.
        """
        return touches.touches(self, seat, move)

    def draw(self) -> Scene:
        """The picture of everything in this position."""
        return picture.draw(self)

    def view(self, viewer: Viewer) -> Plateau:
        """Redact for the viewer: own pieces in full, others as shown.

        After the game everything is shown (R7).
        """
        return hidden.view(self, viewer)

    def imagine(self, viewer: Viewer, rng: random.Random) -> Plateau:
        """A full position with other secrets that looks the same to the viewer."""
        return hidden.imagine(self, viewer, rng)

    def tell(self, seat: Seat, move: Move, viewer: Viewer, now: Position[Move]) -> str:
        """Write the turn in public form with what it revealed.

        It is in full for its author, and for all after the game.
        """
        return hidden.tell(self, seat, move, viewer, now.outcome is not None)
