"""The state of a game of Plateau: stacks, seat to act, and outcome.

Every function of this package reads a `State` or returns another one of the same class; the
position class answers the contract of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

from engines.base import Outcome, Seat
from engines.plateau.pieces import SEATS
from engines.wording import N_

STACK, PRISONERS, PASSES, QUIET = "stack", "prisoners", "passes", "quiet"
"""How a game ended."""

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
    """The state of a game; `pieces` explains the signs in it.

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

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act; none once the game is over."""
        return () if self.end else _ACTORS[self.turn]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: six in a stack, six prisoners, or a draw (section 7)."""
        return _OUTCOMES[self.end, self.turn] if self.end else None

    def with_turn(self, turn: Seat, tender: str, refused: tuple[str, ...]) -> Self:
        """Return the same board at another stage of the turn: a tender made, or refused."""
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
"""The concrete class of a state, kept by its successors."""
