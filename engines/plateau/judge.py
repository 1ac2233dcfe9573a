"""Heuristic evaluation for Plateau: prisoners, tall units, and possible captures.

The board is the position itself. Reach ignores pieces in between, so a stack's attacks depend only on the stack and its
square, and are cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from engines.judging import WON, Choice, Judge
from engines.plateau.board import PATHS
from engines.plateau.moves import ONBOARD, TENDER, Move, in_hand
from engines.plateau.pieces import FACES, ORIENTED, OWNER, enemies, longest_unit, top_unit
from engines.plateau.position import Plateau
from engines.plateau.turns import SIX

PRISONERS = (0.0, 1.5, 3.2, 5.2, 7.8, 12.0, 30.0)
"""The value of prisoners, by their number."""

TALLEST = (0.0, 0.2, 0.6, 1.3, 2.6, 5.0, 30.0)
"""The value of a unit, by its height."""

AT_ONCE, LATER = 0.8, 0.25
"""The weight of the best capture for the side to move, and for the other side."""

KEPT = 12
"""Maximum number of moves searched per board."""


class Facts(NamedTuple):
    """Evaluation data of a stack on its square.

    The fields are its owner, the number of pieces of each side, their tallest units, the value of all units, the size of
    its top unit, its capture targets, and whether it can capture in place.
    """

    owner: int
    counts: tuple[int, int]
    tallest: tuple[int, int]
    worth: tuple[float, float]
    size: int
    reach: tuple[int, ...]
    stomps: bool


class PlateauJudge(Judge):
    """Evaluates prisoners, units, and captures that are possible at once."""

    budgets: ClassVar[tuple[int, ...]] = (1, 6, 12, 36, 6_000)
    scale: ClassVar[float] = 8.0

    def board(self, position: Plateau) -> Plateau:
        """Return the position."""
        return position

    def mover(self, board: Plateau) -> int:
        """The seat to move."""
        return board.turn

    def choices(self, board: Plateau) -> Sequence[Choice]:
        """Return the most promising moves; of pieces with equal markers only the cheapest is placed."""
        return _ranked(board, [move for move in board.legal_moves(board.turn) if _stands_for_others(board, move)])[
            :KEPT
        ]

    def all_choices(self, board: Plateau) -> Sequence[Choice]:
        """Return every move; exchanges only if nothing else is possible."""
        return _ranked(board, list(board.legal_moves(board.turn)))

    def after(self, board: Plateau, move: Move) -> Plateau:
        """Return the next position."""
        return board.after(board.turn, move)

    def move(self, board: Plateau, move: Move) -> Move:
        """Return the move unchanged."""
        return move


def _ranked(board: Plateau, moves: list[Move]) -> list[Choice]:
    seat = board.turn
    found = [(_worth(board.after(seat, move), seat), move) for move in moves if move.kind != TENDER]
    if not found:
        found = [(0.0, move) for move in moves]
    return sorted(found, key=_by_worth)


def _stands_for_others(board: Plateau, move: Move) -> bool:
    """Whether no piece of the hand with the same markers is cheaper.

    True for moves that place nothing.
    """
    if move.kind != ONBOARD:
        return True
    return move.pieces == _cheapest(board.hands[board.turn])[_MARKERS_OF[move.pieces]]


@lru_cache(maxsize=4096)
def _cheapest(hand: str) -> dict[frozenset[str], str]:
    """Return the cheapest piece of the hand for each set of markers."""
    cheapest: dict[frozenset[str], str] = {}
    for faces in in_hand(hand):
        cheapest.setdefault(_MARKERS_OF[faces], faces)
    return cheapest


_MARKERS_OF = {faces: frozenset(faces) - {"x"} for faces in ORIENTED}


@lru_cache(maxsize=60_000)
def _facts(stack: str, square: int) -> Facts:
    owner = OWNER[stack[-1]]
    theirs = enemies(stack, 0)
    size = top_unit(stack, owner)
    tallest = longest_unit(stack, 0), longest_unit(stack, 1)
    markers = [face for face in FACES[stack[-1]] if face != "x"]
    reach = {end for face in markers for end, path in PATHS[face][square].items() if face == "o" or len(path) <= size}
    worth = TALLEST[min(tallest[0], SIX)], TALLEST[min(tallest[1], SIX)]
    counts = len(stack) - theirs, theirs
    return Facts(owner, counts, tallest, worth, size, tuple(sorted(reach)), bool(markers))


def _worth(position: Plateau, seat: int) -> float:
    """Evaluate a position for a seat, by its outcome if it is over."""
    if position.end:
        winners = position.outcome.winners if position.outcome else ()
        return 0.0 if not winners else WON if seat in winners else -WON
    mover, other = position.turn, 1 - position.turn
    facts = [_facts(stack, square) if stack else None for square, stack in enumerate(position.stacks)]
    held = [len(prisoners) for prisoners in position.prisoners]
    gains = _best_captures(facts)
    worth = PRISONERS[held[mover]] - PRISONERS[held[other]]
    five = False
    for each in facts:
        if each is not None:
            worth += each.worth[mover] - each.worth[other]
            five = five or each.tallest[mover] >= SIX - 1
    if (five and position.hands[mover]) or held[mover] + gains[mover] >= SIX:
        return WON if mover == seat else -WON
    worth += AT_ONCE * (PRISONERS[held[mover] + gains[mover]] - PRISONERS[held[mover]])
    worth -= LATER * (PRISONERS[min(held[other] + gains[other], SIX)] - PRISONERS[held[other]])
    return worth if mover == seat else -worth


def _best_captures(facts: list[Facts | None]) -> list[int]:
    """Return the maximum number of pieces that each side can capture in one move.

    Only moves of whole units and captures in place are considered.
    """
    most = [0, 0]
    for each in facts:
        if each is None:
            continue
        owner, counts, _tallest, _height, size, reach, stomps = each
        enemy, best = 1 - owner, most[owner]
        if stomps and counts[enemy] > best:
            best = max(best, min(size, counts[enemy]))
        for end in reach:
            there = facts[end]
            if there is not None and there.counts[enemy] > best:
                moving = size if there.owner == enemy else size + there.size
                best = max(best, min(moving, there.counts[enemy]))
        most[owner] = best
    return most


def _by_worth(choice: Choice) -> float:
    return -choice[0]
