"""The state of a game: board, seat to act, ending, and the reach of each die."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Self, TypeVar

from engines.base import CHANCE, Outcome, Seat
from engines.proteus_dice import dice
from engines.proteus_dice.dice import EMPTY
from engines.proteus_dice.endings import ending_at, outcome_of, remembered
from engines.proteus_dice.moves import NOWHERE, Turn
from engines.proteus_dice.options import Options, PawnDouble, Roulette
from engines.wording import N_

_FIRST = PawnDouble.FIRST
_ALONE = ((0,), (1,))
NO_HANDS = ("", "")
"""The hands if all dice are on the board."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game.

    `turn` is the seat in turn, `first` the seat that moved first. `stage` is "army", "roll", "setup" or "place" on Wall
    Street, then "turn", "throw" (the die on `square` is to be thrown), "rotate" (it was thrown, another is to be
    turned) or "over"; `ending` then gives the reason. `hands` are dice not yet on the board, as sealed or most valuable
    first, "?" if unknown. `unmoved` is a bit set, kept only if the double step requires it. `seen` lists the boards at
    the starts of turns since the last irreversible move.
    """

    SEATS: ClassVar[tuple[str, ...]] = (N_("White"), N_("Black"))

    rules: Options = field(hash=False)  # the same in all positions of a game, so it is left out of hashes
    board: str
    turn: int = 0
    first: int = 0
    white: int = 0
    black: int = 0
    quiet: int = 0
    number: int = 1
    unmoved: int = 0
    stage: str = "turn"
    square: int = NOWHERE
    hands: tuple[str, str] = NO_HANDS
    seen: str = ""
    ending: str = ""

    # -- start of play ---------------------------------------------------------------

    @classmethod
    def opening(cls, rules: Options, board: str, first: Seat) -> Self:
        """Start play on a prepared board."""
        unmoved = dice.BOTH_HOMES if rules.pawn_double is PawnDouble.FIRST else 0
        return begin_turn(cls, rules, board, first, first, 0, 0, 0, 1, unmoved, "")

    # -- seats to act and outcome ----------------------------------------------------

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act: the player in turn, chance for a throw, or both until they have sealed."""
        stage = self.stage
        if stage == "turn" or stage in ("rotate", "place"):
            return _ALONE[self.turn]
        if stage in ("throw", "roll"):
            return (CHANCE,)
        if stage in ("army", "setup"):
            return tuple(seat for seat in (0, 1) if not self.hands[seat])
        return ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, with the points as scores; None while it is in progress."""
        return outcome_of(self.ending, self.turn, self.white, self.black) if self.ending else None

    @property
    def dice_rules(self) -> dice.Rules:
        """The lookup tables for these options."""
        rules = self.rules
        return dice.RULES[rules.warhorses][rules.polarity]

    @property
    def doubling(self) -> int:
        """The squares, as bits, from which pawns may step two squares (S-c)."""
        return self.unmoved if self.rules.pawn_double is _FIRST else dice.BOTH_HOMES

    # -- moves of a die --------------------------------------------------------------

    def rotations(self, origin: int, target: int) -> Iterator[Turn]:
        """Yield a move with every possible rotation; if `origin` is NOWHERE, only the rotations."""
        one_step = self.dice_rules.one_step
        moved = target if origin == NOWHERE else origin
        for square in dice.own_squares(self.board, self.turn):
            if square != moved:
                for face in one_step[self.board[square]]:
                    yield Turn(origin, target if origin != NOWHERE else NOWHERE, square, face)

    def targets(self, origin: int) -> list[int]:
        """Return the squares to which the die on `origin` may move."""
        return dice.targets(self.board, origin, self.dice_rules, self.doubling)

    def can_go(self, origin: int, target: int) -> bool:
        """Whether the die on `origin` belongs to the player to move and may go to `target`."""
        return self.board[origin] in dice.SIDES[self.turn] and target in self.targets(origin)

    def backstab(self, origin: int, target: int) -> int | None:
        """Return the square of the queen backstabbed by this move, or None."""
        return dice.backstabbed(self.board, origin, target, self.dice_rules)

    def follows(self, origin: int, target: int) -> str:
        """Return what follows this legal move: "end" of the game, "throw" or "rotation"."""
        stabbed = dice.backstabbed(self.board, origin, target, self.dice_rules)
        if stabbed is None and self.board[target] == EMPTY:
            return "rotation"
        taken = (self.board[target] != EMPTY) + (stabbed is not None)
        if dice.count(self.board, 1 - self.turn) - taken <= 1:
            return "end"
        return "throw" if self.rules.roulette is Roulette.BEFORE else "rotation"


S = TypeVar("S", bound=State)
"""The concrete class of a state; functions return the same class."""


def begin_turn(
    kind: type[S],
    rules: Options,
    board: str,
    turn: Seat,
    first: Seat,
    white: int,
    black: int,
    quiet: int,
    number: int,
    unmoved: int,
    seen: str,
) -> S:
    """Begin a turn: check for immobility, third occurrence and quiet turns (S-n)."""
    key, seen = remembered(board, turn, seen)
    ending = ending_at(rules, board, turn, quiet, key, seen)
    stage = "over" if ending else "turn"
    return kind(rules, board, turn, first, white, black, quiet, number, unmoved, stage, NOWHERE, NO_HANDS, seen, ending)
