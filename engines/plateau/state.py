"""The state of a game of Plateau: stacks, seat to act, and outcome.

The functions of this package read a `State` or return a new one of the same class, which also implements `Position`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

from engines.base import Outcome, Seat
from engines.plateau.pieces import SEATS
from engines.wording import N_

STACK, PRISONERS, PASSES, QUIET = "stack", "prisoners", "passes", "quiet"
"""The reasons for a game's end: a high stack, prisoners, passes, or quiet turns."""

_WINS = {STACK: N_("six in a stack"), PRISONERS: N_("six prisoners")}
_DRAWS = {
    PASSES: N_("two passes in a row"),
    QUIET: N_("200 turns without a capture or an onboarding"),
}
_OUTCOMES = {(end, seat): Outcome((seat,), reason) for end, reason in _WINS.items() for seat in (0, 1)} | {
    (end, seat): Outcome((), reason) for end, reason in _DRAWS.items() for seat in (0, 1)
}
_ACTORS: tuple[tuple[Seat, ...], ...] = ((0,), (1,))


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game; `pieces` explains the signs of pieces.

    `stacks` are the squares a1, b1, … d4, each from the bottom up. `hands` and `prisoners` hold sorted type digits; an
    unseen hand has a `?` for each piece. `turn` is the seat to act, or the last one to act once `end` gives the reason
    for the end. `tender` is the tender awaiting a reply, `refused` those refused in this turn. `openings` counts the
    openings still to be made, `passes` the last passes in a row, `idle` the last turns without a capture or onboarding.
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

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act; none once the game is over."""
        return () if self.end else _ACTORS[self.turn]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended (section 7): a unit of six, six prisoners, or a draw; None before."""
        return _OUTCOMES[self.end, self.turn] if self.end else None

    def with_turn(self, turn: Seat, tender: str, refused: tuple[str, ...]) -> Self:
        """Return the same board at another stage of the turn: after a tender or a refusal."""
        return type(self)(
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


S = TypeVar("S", bound=State)
"""The concrete class of a state; functions return the same class."""
