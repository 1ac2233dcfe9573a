"""Monte-Carlo tree search (UCT) with random playouts, for games without an evaluation.

Each round imagines hidden information afresh, descends the tree by upper confidence bounds among the legal moves, adds
one position, plays a random game, and counts the winner. In the tree an immediate win is always taken, so a move that
allows one counts as lost.
"""

from __future__ import annotations

import math
import random
from typing import Any

from engines.base import CHANCE, MoveError, Position, Seat

EXPLORATION = 0.7
"""The UCT exploration constant."""

LONGEST = 2_000
"""Maximum length of a playout; longer ones count as a draw."""

CURIOUS = 4
"""Number of visits after which a position is checked for immediate wins."""


class _Node:
    """Statistics of a position: visits, and results for the seat that moved into it."""

    __slots__ = ("seat", "then", "visits", "winning", "won")

    def __init__(self, seat: Seat) -> None:
        self.seat, self.visits, self.won = seat, 0, 0.0
        self.then: dict[Any, _Node] = {}
        self.winning: Any = None


class Playouts:
    """A search with a budget counted in rounds, whatever their length."""

    def __init__(self, seen: Position[Any], seat: Seat, rounds: int, rng: random.Random) -> None:
        self.seen, self.seat, self.rounds, self.rng = seen, seat, rounds, rng
        self.root = _Node(seat)

    def best(self) -> Any:
        """Return the most visited move."""
        for _number in range(self.rounds):
            self._round(self.seen.imagine(self.seat, self.rng))
            if self.root.winning is not None:
                return self.root.winning
        tried = self.root.then
        return max(tried, key=lambda move: (tried[move].visits, tried[move].won))

    def _round(self, position: Position[Any]) -> None:
        path, node = [self.root], self.root
        while position.to_act:
            seat = position.to_act[0]
            if seat == CHANCE:
                position = position.after(seat, position.random_move(seat, self.rng))
                continue
            node.visits += 1
            move = self._chosen(node, position, seat)
            position = position.after(seat, move)
            fresh = move not in node.then
            node = node.then.setdefault(move, _Node(seat))
            path.append(node)
            if fresh:
                break
        node.visits += 1
        self._count(path, self._played_on(position))

    def _chosen(self, node: _Node, position: Position[Any], seat: Seat) -> Any:
        """Choose a winning move, else an untried one, else the one with the highest upper bound."""
        if node.winning is not None and self._is_legal(position, seat, node.winning):
            return node.winning
        moves = list(position.legal_moves(seat))
        if node.visits == CURIOUS or (node is self.root and node.visits == 1):
            node.winning = self._win(position, seat, moves)
            if node.winning is not None:
                return node.winning
        fresh = [move for move in moves if move not in node.then]
        if fresh:
            return self.rng.choice(fresh)
        spread = math.log(node.visits)
        return max(moves, key=lambda move: _bound(node.then[move], spread))

    def _is_legal(self, position: Position[Any], seat: Seat, move: Any) -> bool:
        try:
            return position.objection(seat, move) is None
        except MoveError:
            return False

    def _win(self, position: Position[Any], seat: Seat, moves: list[Any]) -> Any:
        for move in moves:
            outcome = position.after(seat, move).outcome
            if outcome is not None and seat in outcome.winners:
                return move
        return None

    def _played_on(self, position: Position[Any]) -> tuple[Seat, ...]:
        """Return the winners of a random playout; both seats for a draw."""
        for _move in range(LONGEST):
            if not position.to_act:
                break
            seat = position.to_act[0]
            position = position.after(seat, position.random_move(seat, self.rng))
        return position.outcome.winners if position.outcome else ()

    def _count(self, path: list[_Node], winners: tuple[Seat, ...]) -> None:
        for node in path[1:]:
            node.won += 0.5 if not winners else float(node.seat in winners)


def _bound(node: _Node, spread: float) -> float:
    return node.won / node.visits + EXPLORATION * math.sqrt(spread / node.visits)
