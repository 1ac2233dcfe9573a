"""The Puzzle: the position and its rules (rule sheet: puzzle rules; rulings P-a to P-f)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from engines import bridges
from engines.base import CHANCE, Outcome, Position, Seat
from engines.bridges import NAMES, SPACES
from engines.buttons import ALL, EMPTY, READING_ORDER, SIDES, exchanged, read_rows, write_rows
from engines.duel_puzzle import notation, picture
from engines.duel_puzzle.goals import SENTENCES, is_met
from engines.duel_puzzle.moves import Deal, Turn
from engines.scene import Scene
from engines.walks import Walk, obstacle, reach_of
from engines.wording import N_, _

SOLVER: Seat = 0
"""The one seat."""

_UNDEALT = EMPTY * SPACES


@dataclass(frozen=True, slots=True)
class Puzzle(Position[Turn]):
    """A moment of the Puzzle: the board, the goal, and the number of `moves` made so far.

    `cells` is the board (see `engines.buttons`), empty before the deal; `solved` says that the goal is met.
    """

    SEATS: ClassVar[tuple[str, ...]] = (N_("Solver"),)

    layout: str
    goal: int
    cells: str
    moves: int
    solved: bool

    @classmethod
    def start(cls, layout: str, goal: int) -> Puzzle:
        """All buttons are in the bag."""
        return cls(layout, goal, _UNDEALT, 0, False)

    @classmethod
    def from_text(cls, text: str, layout: str = "ring", goal: int = 1) -> Puzzle:
        """The position that `to_text` wrote: rows 4/3/2/1, and the number of moves made, 0 if left out.

        Raises ValueError on anything else, and on a board that is neither full nor empty.
        """
        rows, *counted = text.split()
        cells, moves = read_rows(rows), int("".join(counted) or "0")
        if cells == _UNDEALT:
            return cls(layout, goal, cells, moves, False)
        if EMPTY in cells or moves < 0 or len(counted) > 1:
            raise ValueError("a Puzzle has all sixteen buttons on the board, then the number of moves made")
        return cls(layout, goal, cells, moves, is_met(cells, goal))

    def to_text(self) -> str:
        """The position as text; the goal and the board's name are not in it."""
        return f"{write_rows(self.cells)} {self.moves}"

    @property
    def to_act(self) -> tuple[Seat, ...]:
        if self.solved:
            return ()
        return (SOLVER,) if self.is_dealt else (CHANCE,)

    @property
    def outcome(self) -> Outcome | None:
        return Outcome((SOLVER,), SENTENCES[self.goal], (self.moves,)) if self.solved else None

    @property
    def is_dealt(self) -> bool:
        """Whether the buttons have left the bag."""
        return self.cells != _UNDEALT

    @property
    def board(self) -> bridges.Board:
        """The bridges of this Puzzle."""
        return bridges.board(self.layout)

    def legal_moves(self, seat: Seat) -> Iterator[Turn]:
        """Walks by button and where they end; of chance all 16! deals, which nobody should list."""
        if seat not in self.to_act:
            return
        if seat == CHANCE:
            yield from (Deal("".join(order)) for order in itertools.permutations(ALL))
            return
        yield from self._walks()

    def random_move(self, seat: Seat, rng: random.Random) -> Turn:
        """A move or a deal, every one equally likely."""
        self._must_act(seat)
        if seat == CHANCE:
            return Deal("".join(rng.sample(ALL, SPACES)))
        reach = reach_of(self.layout)
        walks = [(b, start, to) for start, b in enumerate(self.cells) for to in reach[b][start]]
        return Walk(*rng.choice(walks))

    def after(self, seat: Seat, move: Turn) -> Puzzle:
        if isinstance(move, Deal):
            lying = dict(zip(READING_ORDER, move.buttons, strict=True))
            cells, moves = "".join(lying[space] for space in range(SPACES)), 0
        else:
            cells, moves = exchanged(self.cells, move.start, move.to), self.moves + 1
        return Puzzle(self.layout, self.goal, cells, moves, is_met(cells, self.goal))

    def objection(self, seat: Seat, move: Turn) -> str | None:
        if seat not in self.to_act:
            return _("It is not your turn.")
        if isinstance(move, Deal):
            return self._cannot_deal(seat, move)
        if seat == CHANCE:
            return _("The buttons are dealt first.")
        if move.button not in SIDES:
            return _("There is no such button: they are W1 to W8 and B1 to B8.")
        return obstacle(self.layout, self.cells, move)

    def write(self, seat: Seat, move: Turn) -> str:
        return notation.write(self, move)

    def write_long(self, seat: Seat, move: Turn) -> str:
        return notation.write_long(self, move)

    def parse(self, seat: Seat, text: str) -> Turn:
        self._must_act(seat)
        return notation.parse_deal(self, text) if seat == CHANCE else notation.parse(self, text)

    def touches(self, seat: Seat, move: Turn) -> tuple[str, ...]:
        """The space of the button, then the space where it goes; a deal is not touched but written."""
        if isinstance(move, Deal):
            return (self.write(seat, move),)
        return NAMES[move.start], NAMES[move.to]

    def draw(self) -> Scene:
        return picture.draw(self)

    def is_solved_by(self, walk: Walk) -> bool:
        """Whether this walk meets the goal; it is not checked."""
        return is_met(exchanged(self.cells, walk.start, walk.to), self.goal)

    def walks_of(self, button: str) -> Iterator[Walk]:
        """Everything that one button can do."""
        start = self.cells.index(button)
        for to in reach_of(self.layout)[button][start]:
            yield Walk(button, start, to)

    def _walks(self) -> Iterator[Walk]:
        return itertools.chain.from_iterable(self.walks_of(button) for button in ALL)

    def _cannot_deal(self, seat: Seat, deal: Deal) -> str | None:
        if seat != CHANCE:
            return _("The buttons have been dealt already.")
        if sorted(deal.buttons) != sorted(ALL):
            return _("A deal names all sixteen buttons, each of them once.")
        return None
