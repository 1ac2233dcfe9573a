"""A moment of Plateau: what stands, who is to act, and how it ended (rule sheet: whole)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from engines.base import Outcome, Seat, Viewer
from engines.base import Position as Base
from engines.plateau import hidden, moves, notation, objections, picture, position_text, touches, turns
from engines.plateau.moves import Move
from engines.plateau.pieces import SEATS
from engines.scene import Scene
from engines.wording import N_

_WINS = {turns.STACK: N_("six in a stack"), turns.PRISONERS: N_("six prisoners")}
_DRAWS = {
    turns.PASSES: N_("two passes in a row"),
    turns.QUIET: N_("200 turns without a capture or an onboarding"),
}
_OUTCOMES = {(end, seat): Outcome((seat,), reason) for end, reason in _WINS.items() for seat in (0, 1)} | {
    (end, seat): Outcome((), reason) for end, reason in _DRAWS.items() for seat in (0, 1)
}
_ACTORS: tuple[tuple[Seat, ...], ...] = ((0,), (1,))


@dataclass(frozen=True, slots=True)
class Plateau(Base[Move]):
    """A position; `pieces` explains the signs in it.

    `stacks` are the squares a1, b1, … d4, from the bottom up; `hands` and `prisoners` hold type digits,
    sorted, a hand that is not seen one `?` for each piece; `turn` is who is to act (or acted last, once
    `end` says how it ended); `tender` awaits its reply, `refused` were refused in this turn; `openings`
    are still to be made; `passes` were made just now, and for `idle` turns nothing was captured or put
    on the board.
    """

    SEATS: ClassVar[tuple[str, ...]] = SEATS

    stacks: tuple[str, ...]
    hands: tuple[str, ...]
    prisoners: tuple[str, ...] = ("", "")
    turn: int = 0
    tender: str = ""
    refused: tuple[str, ...] = ()
    openings: int = 0
    passes: int = 0
    idle: int = 0
    end: str = ""

    @classmethod
    def from_text(cls, text: str) -> Plateau:
        """The position that a position text describes; see `position_text.read`. Raises ValueError."""
        return position_text.read(text)

    def to_text(self) -> str:
        """The position text; see `position_text.write`."""
        return position_text.write(self)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who is to act; nobody once the game is over."""
        return () if self.end else _ACTORS[self.turn]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: six in a stack, six prisoners, or a draw (section 7)."""
        return _OUTCOMES[self.end, self.turn] if self.end else None

    def with_turn(self, turn: Seat, tender: str, refused: tuple[str, ...]) -> Plateau:
        """The same board in another moment of the same turn: a tender made, or refused."""
        return Plateau(
            self.stacks,
            self.hands,
            self.prisoners,
            turn,
            tender,
            refused,
            self.openings,
            self.passes,
            self.idle,
            self.end,
        )

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Every legal move: onboardings, movements and stomps, tenders, a pass where only they are left."""
        return moves.legal_moves(self, seat)

    def after(self, seat: Seat, move: Move) -> Plateau:
        """The next position; raises Hidden where it turns on a blank, such as the type of a captured piece."""
        return turns.after(self, seat, move)

    def write(self, seat: Seat, move: Move) -> str:
        """The canonical text, which is the long form as well."""
        return notation.write(self, seat, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """The legal move that a text names; raises MoveError with what is possible."""
        self._must_act(seat)
        return notation.parse(self, seat, text)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Why the move is not legal; None exactly on legal moves."""
        return objections.objection(self, seat, move)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """A legal move, each as likely as the others; among blanks one that is legal whatever they hide."""
        self._must_act(seat)
        return moves.random_move(self, seat, rng)

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """The move as touches: new piece, side, square, place; or from, to, counts; or prisoners and done."""
        return touches.touches(self, seat, move)

    def draw(self) -> Scene:
        """The picture of everything in this position."""
        return picture.draw(self)

    def view(self, viewer: Viewer) -> Plateau:
        """What the viewer may know: own pieces in full, of others what was shown; all once over (R7)."""
        return hidden.view(self, viewer)

    def imagine(self, viewer: Viewer, rng: random.Random) -> Plateau:
        """A full position with other secrets that looks the same to the viewer."""
        return hidden.imagine(self, viewer, rng)

    def tell(self, seat: Seat, move: Move, viewer: Viewer, now: Base[Move]) -> str:
        """The turn in its public form with what it showed; in full to its author, and to all once over."""
        return hidden.tell(self, seat, move, viewer, now.outcome is not None)
