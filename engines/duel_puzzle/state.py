"""A position of the Puzzle and its rules (rule sheet: puzzle rules; rulings P-a to P-f)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from engines import bridges
from engines.base import CHANCE, Outcome, Seat
from engines.bridges import SPACES
from engines.buttons import ALL, EMPTY, READING_ORDER, SIDES, with_exchange
from engines.duel_puzzle.goals import SENTENCES, is_met
from engines.duel_puzzle.moves import Deal, Turn
from engines.walks import Walk, obstacle, reach_of
from engines.wording import N_, _

SOLVER: Seat = 0
"""The only seat."""

UNDEALT = EMPTY * SPACES
"""The board before the deal."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of the Puzzle: the board, the goal, and the number of `moves` made so far.

    `cells` is the board (see `engines.buttons`), empty before the deal. `solved` is true once the goal is met.
    """

    SEATS: ClassVar[tuple[str, ...]] = (N_("Solver"),)

    layout: str
    goal: int
    cells: str
    moves: int
    solved: bool

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seat to act: chance before the deal, then the solver; none once the goal is met."""
        if self.solved:
            return ()
        return (SOLVER,) if self.is_dealt else (CHANCE,)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, with the number of moves as score; None until the goal is met."""
        return Outcome((SOLVER,), SENTENCES[self.goal], (self.moves,)) if self.solved else None

    @property
    def is_dealt(self) -> bool:
        """Whether the buttons have been dealt."""
        return self.cells != UNDEALT

    @property
    def board(self) -> bridges.BridgeBoard:
        """The board of bridges of this Puzzle."""
        return bridges.board(self.layout)

    def legal_moves(self, seat: Seat) -> Iterator[Turn]:
        """Yield walks by button and end; for chance all 16! deals, which callers should not list."""
        if seat not in self.to_act:
            return
        if seat == CHANCE:
            yield from (Deal("".join(order)) for order in itertools.permutations(ALL))
            return
        yield from self._walks()

    def random_action(self, seat: Seat, rng: random.Random) -> Turn:
        """Draw a uniformly random move or deal of the seat to act."""
        if seat == CHANCE:
            return Deal("".join(rng.sample(ALL, SPACES)))
        reach = reach_of(self.layout)
        walks = [(b, start, to) for start, b in enumerate(self.cells) for to in reach[b][start]]
        return Walk(*rng.choice(walks))

    def after(self, seat: Seat, move: Turn) -> Self:
        """Return the next position; the move is not checked."""
        if isinstance(move, Deal):
            lying = dict(zip(READING_ORDER, move.buttons, strict=True))
            cells, moves = "".join(lying[space] for space in range(SPACES)), 0
        else:
            cells, moves = with_exchange(self.cells, move.start, move.to), self.moves + 1
        return type(self)(self.layout, self.goal, cells, moves, is_met(cells, self.goal))

    def objection(self, seat: Seat, move: Turn) -> str | None:
        """Explain in a sentence why the move is illegal; None if it is legal."""
        if seat not in self.to_act:
            return _("It is not your turn.")
        if isinstance(move, Deal):
            return self._cannot_deal(seat, move)
        if seat == CHANCE:
            return _("The buttons are dealt first.")
        if move.button not in SIDES:
            return _("There is no such button: they are W1 to W8 and B1 to B8.")
        return obstacle(self.layout, self.cells, move)

    def is_solved_by(self, walk: Walk) -> bool:
        """Whether this walk meets the goal; its legality is not checked."""
        return is_met(with_exchange(self.cells, walk.start, walk.to), self.goal)

    def walks_of(self, button: str) -> Iterator[Walk]:
        """Yield every walk of one button."""
        start = self.cells.index(button)
        for to in reach_of(self.layout)[button][start]:
            yield Walk(button, start, to)

    def _walks(self) -> Iterator[Walk]:
        return itertools.chain.from_iterable(self.walks_of(button) for button in ALL)

    def _cannot_deal(self, seat: Seat, deal: Deal) -> str | None:
        if seat != CHANCE:
            return _("The buttons have been dealt already.")
        if sorted(deal.buttons) != sorted(ALL):
            return _("A deal names all sixteen buttons, once each.")
        return None
