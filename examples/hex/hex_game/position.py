"""The rules of Hex, and how its moves are written: a move is the name of a place, or `swap`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from engines.base import IllegalMove, NotationError, Outcome, Position, Seat, nearest, not_a_move, squeezed
from engines.scene import Scene
from engines.wording import N_, _
from hex_game import picture
from hex_game.board import EMPTY, NAMES, NUMBERS, is_joined, mirrored

SEATS = (N_("Black"), N_("White"))
SWAP = "swap"
REASON = N_("a chain from side to side")

_TEXT = re.compile(r"([a-k0-9 ]*); ([a-k0-9 ]*); ([BW]) to move")


@dataclass(frozen=True, slots=True)
class Hex(Position[str]):
    """A board, who is to move, and whether White may swap; `winner` is set once somebody has won."""

    SEATS: ClassVar[tuple[str, ...]] = SEATS

    cells: str = EMPTY
    side: Seat = 0
    swap: bool = True
    winner: Seat | None = None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """One side after the other."""
        return () if self.winner is not None else (self.side,)

    @property
    def outcome(self) -> Outcome | None:
        """Somebody has joined their sides; a full board always has a winner."""
        return None if self.winner is None else Outcome((self.winner,), REASON)

    @property
    def can_swap(self) -> bool:
        """Whether the first stone has just been placed, and may be taken over."""
        return self.swap and self.side == 1 and self.cells.count("B") == 1 and "W" not in self.cells

    def legal_moves(self, seat: Seat) -> Iterator[str]:
        """Every empty place in order, then the swap."""
        if seat in self.to_act:
            yield from (name for name, cell in zip(NAMES, self.cells, strict=True) if cell == ".")
            yield from (SWAP,) if self.can_swap else ()

    def objection(self, seat: Seat, move: str) -> str | None:
        """Nothing can be placed on a stone; only White's first move may be a swap."""
        self._must_act(seat)
        if move == SWAP:
            return None if self.can_swap else _("Only White may swap, as the first move.")
        if move not in NUMBERS:
            return _("There is no such place: they run from a1 to k11.")
        return None if self.cells[NUMBERS[move]] == "." else _("{place} is taken.").format(place=move)

    def after(self, seat: Seat, move: str) -> Self:
        """A stone more, or Black's first stone mirrored and White's."""
        if move == SWAP:
            return replace(self, cells=self._with(EMPTY, mirrored(self.cells.index("B")), seat), side=1 - seat)
        cells = self._with(self.cells, NUMBERS[move], seat)
        return replace(self, cells=cells, side=1 - seat, winner=seat if is_joined(cells, seat) else None)

    def write(self, seat: Seat, move: str) -> str:
        """The move is its own name."""
        return move

    def parse(self, seat: Seat, text: str) -> str:
        """A place or the swap, in any letter case; raises a MoveError that says what is wrong."""
        self._must_act(seat)
        move = squeezed(text)
        if move != SWAP and move not in NUMBERS:
            near = nearest(move, list(self.legal_moves(seat)))
            raise NotationError(not_a_move(text, near), near)
        why_not = self.objection(seat, move)
        if why_not is not None:
            raise IllegalMove(why_not)
        return move

    def draw(self) -> Scene:
        """The slanting board with its stones."""
        return picture.draw(self)

    # -- positions as text, for diagrams -------------------------------------------

    @classmethod
    def from_text(cls, text: str, *, swap: bool = True) -> Self:
        """The position of a text such as “f6 g5; e7; W to move”: Black's stones, White's, who moves."""
        found = _TEXT.fullmatch(text)
        if found is None:
            raise ValueError(f"no position of Hex: {text}")
        cells = EMPTY
        for seat in (0, 1):
            for name in found[seat + 1].split():
                cells = cls._with(cells, NUMBERS[name], seat)
        winner = next((seat for seat in (0, 1) if is_joined(cells, seat)), None)
        return cls(cells, "BW".index(found[3]), swap, winner)

    def to_text(self) -> str:
        """The same text."""
        lying = ([name for name, cell in zip(NAMES, self.cells, strict=True) if cell == stone] for stone in "BW")
        return "; ".join((*map(" ".join, lying), f"{'BW'[self.side]} to move"))

    @staticmethod
    def _with(cells: str, place: int, seat: Seat) -> str:
        return f"{cells[:place]}{'BW'[seat]}{cells[place + 1 :]}"
