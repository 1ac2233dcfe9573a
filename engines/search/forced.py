"""Proving wins: whether a seat wins by force within so many moves of its own, whatever the others do and chance brings.

Only the contract of positions is asked, never what a judge estimates, so what is proven follows from the rules alone, in
every installed game. An answer has three values: proven, refuted, and unknown where the seat cannot see everything. A win
counts by the seat's last move: what the others would do wrong after it is no part of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engines.base import CHANCE, Hidden, Position, Seat
from engines.budget import BudgetSpent

MOST_REMEMBERED = 200_000
"""So many positions are remembered at most, which bounds the memory."""

WORLDS = 8
"""In so many imagined positions a win is looked for that would not hold in all of them."""

Line = tuple[tuple[Seat, str], ...]
"""Moves of others and of chance, each with its seat, up to the next choice of the seat in question."""


class Forced:
    """A search for wins of one seat, with one budget: every move that is tried counts one against it."""

    def __init__(self, seat: Seat, budget: int) -> None:
        self.seat, self.left = seat, budget
        self._known: dict[tuple[Position[Any], int], bool | None] = {}
        self._replies: dict[Seat, list[Any]] = {}

    def wins(self, position: Position[Any], moves: int) -> bool | None:
        """Whether the seat wins by force from here within so many moves of its own; None where that is not known.

        Raises BudgetSpent.
        """
        if position.outcome is not None:
            return self.seat in position.outcome.winners
        if moves <= 0:
            return False
        key = (position, moves)
        if key in self._known:
            return self._known[key]
        if len(position.to_act) != 1:
            found = None  # sealed choices: nobody may answer what they have not seen
        elif position.to_act[0] == self.seat:
            found = self._chooses(position, moves)
        else:
            found = self._answers(position, position.to_act[0], moves)
        if len(self._known) < MOST_REMEMBERED:
            self._known[key] = found
        return found

    def children(self, position: Position[Any], seat: Seat) -> Iterator[tuple[Any, Position[Any]]]:
        """Every move with the position after it, those first that have settled others; raises BudgetSpent, and Hidden."""
        first = [move for move in self._replies.get(seat, ()) if position.objection(seat, move) is None]
        for move in first:
            yield move, self.after(position, seat, move)
        for move in position.legal_moves(seat):
            if move not in first:
                yield move, self.after(position, seat, move)

    def after(self, position: Position[Any], seat: Seat, move: Any) -> Position[Any]:
        """The position after a move, counted; raises BudgetSpent, and Hidden."""
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1
        then: Position[Any] = position.after(seat, move)
        return then

    def _chooses(self, position: Position[Any], moves: int) -> bool | None:
        if position.view(self.seat) != position:
            return None
        is_certain = True
        for move, then in self.children(position, self.seat):
            found = self.wins(then, moves - 1)
            if found:
                self._settled(self.seat, move)
                return True
            is_certain = is_certain and found is not None
        return False if is_certain else None

    def _answers(self, position: Position[Any], seat: Seat, moves: int) -> bool | None:
        is_certain = True
        for move, then in self.children(position, seat):
            found = self.wins(then, moves)
            if found is False:
                self._settled(seat, move)
                return False
            is_certain = is_certain and found is not None
        return True if is_certain else None

    def _settled(self, seat: Seat, move: Any) -> None:
        """Try this move first where it is possible again: what refutes one mistake often refutes the next."""
        if seat != CHANCE:
            self._replies[seat] = [move, *(one for one in self._replies.get(seat, ()) if one != move)][:2]


def wins_at_once(seen: Position[Any], seat: Seat, move: Any, rng: random.Random) -> bool | None:
    """Whether a move ends the game with a win in every position that the seat cannot tell from this one, its view.

    False where one imagined position shows that it does not; None where nothing is shown either way.
    """
    try:
        outcome = seen.after(seat, move).outcome
        return outcome is not None and seat in outcome.winners
    except Hidden:
        pass
    for _world in range(WORLDS):
        outcome = seen.imagine(seat, rng).after(seat, move).outcome
        if outcome is None or seat not in outcome.winners:
            return False
    return None
