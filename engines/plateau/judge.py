"""What a robot thinks of Plateau: prisoners, tall units, and what can be captured next.

The board is the position itself. Reach does not depend on what lies between, so what a stack attacks follows from
the stack and its square alone, and is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from engines.judging import WON, Choice, Judge
from engines.plateau.board import PATHS
from engines.plateau.moves import TENDER, Move
from engines.plateau.pieces import FACES, OWNER, enemies, longest_unit, top_unit
from engines.plateau.position import Plateau
from engines.plateau.turns import SIX

PRISONERS = (0.0, 1.5, 3.2, 5.2, 7.8, 12.0, 30.0)
"""What so many prisoners are worth."""

TALLEST = (0.0, 0.2, 0.6, 1.3, 2.6, 5.0, 30.0)
"""What a unit is worth by its height."""

AT_ONCE, LATER = 0.8, 0.25
"""How much of the best capture counts for the side that is to move, and for the other."""

KEPT = 12
"""So many moves of a board are worth looking at."""


class Facts(NamedTuple):
    """What a stack on its square says: whose it is, how many pieces each side has in it, their tallest units, and
    where its top unit can capture, with how many pieces it would; the last is 0 if it cannot capture in place."""

    owner: int
    counts: tuple[int, int]
    tallest: tuple[int, int]
    size: int
    reach: tuple[int, ...]
    stomps: bool


class PlateauJudge(Judge):
    """Prisoners, units, and captures that are possible at once."""

    budgets: ClassVar[tuple[int, ...]] = (2, 6, 12, 120, 1_000)
    scale: ClassVar[float] = 8.0

    def board(self, position: Plateau) -> Plateau:
        """The position."""
        return position

    def mover(self, board: Plateau) -> int:
        """Whose turn it is."""
        return board.turn

    def choices(self, board: Plateau) -> Sequence[Choice]:
        """The most promising moves."""
        return self.all_choices(board)[:KEPT]

    def all_choices(self, board: Plateau) -> Sequence[Choice]:
        """Every move; exchanges are proposed only where nothing else can be done."""
        seat = board.turn
        found = [
            (_worth(board.after(seat, move), seat), move)
            for move in board.legal_moves(seat)
            if move.kind != TENDER
        ]  # fmt: skip
        if not found:
            found = [(0.0, move) for move in board.legal_moves(seat)]
        return sorted(found, key=_by_worth)

    def after(self, board: Plateau, move: Move) -> Plateau:
        """The next position."""
        return board.after(board.turn, move)

    def move(self, board: Plateau, move: Move) -> Move:
        """The move itself."""
        return move


@lru_cache(maxsize=60_000)
def _facts(stack: str, square: int) -> Facts:
    owner = OWNER[stack[-1]]
    theirs = enemies(stack, 0)
    size = top_unit(stack, owner)
    reach: set[int] = set()
    for face in FACES[stack[-1]]:
        if face != "x":
            reach.update(end for end, path in PATHS[face][square].items() if face == "o" or len(path) <= size)
    return Facts(
        owner,
        (len(stack) - theirs, theirs),
        (longest_unit(stack, 0), longest_unit(stack, 1)),
        size,
        tuple(sorted(reach)),
        any(face != "x" for face in FACES[stack[-1]]),
    )


def _worth(position: Plateau, seat: int) -> float:
    """What a position is worth to a seat: its end, or what it counts."""
    if position.end:
        winners = position.outcome.winners if position.outcome else ()
        return 0.0 if not winners else WON if seat in winners else -WON
    mover, other = position.turn, 1 - position.turn
    facts = [_facts(stack, square) if stack else None for square, stack in enumerate(position.stacks)]
    tallest = [max((each.tallest[side] for each in facts if each), default=0) for side in (0, 1)]
    held = [len(prisoners) for prisoners in position.prisoners]
    gain = _best_capture(facts, mover)
    if (tallest[mover] >= SIX - 1 and position.hands[mover]) or held[mover] + gain >= SIX:
        return WON if mover == seat else -WON
    worth = _counted(facts, held, mover) - _counted(facts, held, other)
    worth += AT_ONCE * (PRISONERS[held[mover] + gain] - PRISONERS[held[mover]])
    threat = min(held[other] + _best_capture(facts, other), SIX)
    worth -= LATER * (PRISONERS[threat] - PRISONERS[held[other]])
    return worth if mover == seat else -worth


def _counted(facts: list[Facts | None], held: list[int], side: int) -> float:
    return PRISONERS[min(held[side], SIX)] + sum(TALLEST[min(each.tallest[side], SIX)] for each in facts if each)


def _best_capture(facts: list[Facts | None], side: int) -> int:
    """The most pieces that a side can capture by one move that carries a whole unit, or in place."""
    best, enemy = 0, 1 - side
    for each in facts:
        if each is None or each.owner != side:
            continue
        if each.stomps and each.counts[enemy]:
            best = max(best, min(each.size, each.counts[enemy]))
        for end in each.reach:
            there = facts[end]
            if there is not None and there.counts[enemy]:
                size = each.size if there.owner == enemy else each.size + there.size
                best = max(best, min(size, there.counts[enemy]))
    return best


def _by_worth(choice: Choice) -> float:
    return -choice[0]
