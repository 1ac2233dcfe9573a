"""Prove forced wins within a number of own moves, against all replies and chance.

Proofs use only `Position`, never a judge's estimate, so they follow from the rules alone and work for every installed
game. A result is proved, refuted, or unknown if the seat cannot see everything. The win must occur at the seat's own
last move: later mistakes of others do not count.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engines.base import CHANCE, Hidden, Position, Seat
from engines.budget import BudgetSpent

MOST_REMEMBERED = 200_000
"""Maximum size of the cache of searched positions."""

WORLDS = 8
"""Number of imagined positions in which to look for a counterexample to a win."""

Line = tuple[tuple[Seat, str], ...]
"""Moves of other seats and chance, each with its seat, up to the seat's next choice."""


class Forced:
    """A proof search for one seat; every move tried counts one against its budget."""

    def __init__(self, seat: Seat, budget: int) -> None:
        self.seat, self.left = seat, budget
        self._known: dict[tuple[Position[Any], int], bool | None] = {}
        self._replies: dict[Seat, list[Any]] = {}

    def wins(self, position: Position[Any], moves: int) -> bool | None:
        """Whether the seat wins by force within `moves` own moves; None if unknown.

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
            found = None  # sealed choices: seats cannot react to what they have not seen
        elif position.to_act[0] == self.seat:
            found = self._chooses(position, moves)
        else:
            found = self._answers(position, position.to_act[0], moves)
        if len(self._known) < MOST_REMEMBERED:
            self._known[key] = found
        return found

    def children(self, position: Position[Any], seat: Seat) -> Iterator[tuple[Any, Position[Any]]]:
        """Yield moves with resulting positions, killer moves first; raise BudgetSpent or Hidden."""
        first = [move for move in self._replies.get(seat, ()) if position.objection(seat, move) is None]
        for move in first:
            yield move, self.after(position, seat, move)
        for move in position.legal_moves(seat):
            if move not in first:
                yield move, self.after(position, seat, move)

    def after(self, position: Position[Any], seat: Seat, move: Any) -> Position[Any]:
        """Return the position after a move, counting it; raise BudgetSpent or Hidden."""
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
        """Record a killer move: what refutes one mistake often refutes the next."""
        if seat != CHANCE:
            self._replies[seat] = [move, *(one for one in self._replies.get(seat, ()) if one != move)][:2]


def wins_at_once(seen: Position[Any], seat: Seat, move: Any, rng: random.Random) -> bool | None:
    """Whether a move wins at once in every position that looks the same to the seat.

    False if one imagined position refutes it; None if undecided.
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
