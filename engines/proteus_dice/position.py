"""`Position` of Proteus with dice, which delegates each method to another module."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from engines.base import GuideLine, Position, Seat, Viewer
from engines.proteus_dice import choices, dice, guide, objections, picture, reading, street, turns, writing
from engines.proteus_dice.dice import EMPTY
from engines.proteus_dice.moves import NOWHERE, Army, Move, Setup, Turn
from engines.proteus_dice.options import Options, PawnDouble, WallStreet
from engines.proteus_dice.placement import Fields, fields_of, written
from engines.proteus_dice.state import State, begin_turn
from engines.scene import Scene


@dataclass(frozen=True, slots=True)
class ProteusDice(State, Position[Move]):
    """A position of Proteus with dice that implements `Position`."""

    # -- moves ---------------------------------------------------------------------

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Yield every legal move: by the die that moves, its target, the die turned and its face."""
        return choices.legal_moves(self, seat)

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Explain why the move is illegal; None if it is legal."""
        return objections.against(self, seat, move)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a random move: first the die, then its path, then the die to turn."""
        self._must_act(seat)
        return choices.random_move(self, seat, rng)

    def after(self, seat: Seat, move: Move) -> ProteusDice:
        """Return the position after a legal move, detecting the end of the game."""
        return turns.after(self, seat, move)

    # -- notation, pictures, secrets -----------------------------------------------

    def write(self, seat: Seat, move: Move) -> str:
        """Write the move in canonical notation."""
        return writing.canonical(self, move)

    def write_all(self, seat: Seat, moves: Iterable[Move]) -> list[str]:
        """Write several moves in canonical notation."""
        return writing.all_canonical(self, moves)

    def write_long(self, seat: Seat, move: Move) -> str:
        """Write the move in long form, with both squares."""
        return writing.long_form(self, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """Parse a legal move in any accepted form; raise MoveError."""
        self._must_act(seat)
        return reading.read(self, seat, text)

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """Return the touches: from, to, the die to turn, its new face."""
        return picture.touches(self, move)

    def first_touch(self, seat: Seat, move: Move) -> str:
        """Return the square from which a die moves, or else the first touch."""
        if isinstance(move, Turn) and move.origin != NOWHERE:
            return dice.NAMES[move.origin]
        return picture.touches(self, move)[0]

    def draw(self) -> Scene:
        """Draw the board, the points, what is due, and the dice in hand."""
        return picture.draw(self)

    def view(self, viewer: Viewer) -> ProteusDice:
        """Redact the sealed dice of other seats (section 9 of the rules)."""
        if self.hands == ("", ""):
            return self
        white, black = (hand if seat == viewer else "?" * len(hand) for seat, hand in enumerate(self.hands))
        return replace(self, hands=(white, black))

    def imagine(self, viewer: Viewer, rng: random.Random) -> ProteusDice:
        """Return a random complete position that is consistent with what the viewer sees."""
        if self.hands == ("", ""):
            return self
        white, black = (
            hand if seat == viewer or not hand else street.imagined(self, seat, len(hand), rng)
            for seat, hand in enumerate(self.hands)
        )
        return replace(self, hands=(white, black))

    @property
    def keeps_secrets(self) -> bool:
        """Whether dice are bought: only armies and set-ups are secret."""
        return self.rules.wall_street is not WallStreet.NONE

    def tell(self, seat: Seat, move: Move, viewer: Viewer, now: Position[Move]) -> str:
        """Write the move for a viewer; another seat's sealed choice is hidden until revealed."""
        hidden = isinstance(now, ProteusDice) and now.stage in ("army", "setup", "roll", "place")
        if isinstance(move, Army | Setup) and seat != viewer and hidden:
            return writing.canonical(self, type(move)("?" * 8))
        return writing.canonical(self, move)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return notation help for this stage and these options."""
        return tuple(guide.guide(self, seat)) if seat in self.to_act else ()

    def said(self, move: Move) -> str:
        """Describe a throw, or who begins."""
        return guide.said(self, move)

    # -- position text -------------------------------------------------------------

    def to_text(self) -> str:
        """Write the position text of section 8 of the rules, which resembles chess's FEN."""
        return written(self)

    @classmethod
    def from_text(cls, text: str, options: Options | None = None, first: Seat = 0) -> ProteusDice:
        """Parse a position text; by default points are 0–0 and a turn starts.

        The history is unknown, so repetition counts from here. Raises ValueError.
        """
        return _described(fields_of(text), options or Options(), first)


def start(options: Options) -> ProteusDice:
    """Return the first position: sixteen pawns, or an empty board if dice are bought."""
    if options.wall_street is WallStreet.NONE:
        return ProteusDice.opening(options, street.set_up("P" * 8, "P" * 8), 0)
    stage = "army" if options.wall_street is WallStreet.OPEN else "roll"
    return ProteusDice(options, EMPTY * 64, stage=stage)


def _described(text: Fields, rules: Options, first: Seat) -> ProteusDice:
    unmoved = text.unmoved if rules.pawn_double is PawnDouble.FIRST else 0
    common = rules, text.board, text.turn, first, text.white, text.black, text.quiet, text.number, unmoved
    if min(dice.count(text.board, 0), dice.count(text.board, 1)) <= 1:
        return ProteusDice(*common, "over", ending="dice")
    if text.stage != "turn":
        return ProteusDice(*common, text.stage, text.square)
    return begin_turn(ProteusDice, *common, "")
