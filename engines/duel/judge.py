"""Heuristic evaluation for Duel: how close each side is to a line.

A board is a tuple: the seat to act, the contents of the spaces (see `engines.buttons`), the barred pair, the two seats'
spaces as bit sets, and the destinations. Repetition is ignored here; the engine checks it for the moves actually made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.bridges import NEIGHBOURS, SIDE, SPACES
from engines.buttons import EMPTY, SETS, SIDES, with_exchange
from engines.duel.moves import Action, Place
from engines.duel.position import Duel
from engines.duel.state import NOBODY
from engines.judging import WON, Choice, Judge
from engines.walks import Walk, reach_of

Reach = Mapping[str, tuple[tuple[int, ...], ...]]
Board = tuple[int, str, str, int, int, Reach]
Step = tuple[str, int, int]
"""A move: the button, its start (-1 from the supply) and its end."""

LINES = tuple(
    [sum(1 << (rank * SIDE + file) for file in range(SIDE)) for rank in range(SIDE)]
    + [sum(1 << (rank * SIDE + file) for rank in range(SIDE)) for file in range(SIDE)]
)
"""The eight lines as bit sets."""

OWN = (0.0, 1.0, 3.0, 8.0, 0.0)
"""The value of a line by the number of its spaces held by the side that just moved."""

THEIRS = (0.0, 1.2, 4.0, 12.0, 0.0)
"""The value of a line by the number of its spaces held by the side to move."""

PLACED = 0.5
"""The value of a button on the board."""

MOST_KEPT = 300_000
"""Maximum number of cached evaluations."""

_BESIDE = tuple(sum(1 << near for near in NEIGHBOURS[space]) for space in range(SPACES))
_kept: dict[int, float] = {}


class DuelJudge(Judge):
    """Evaluates lines in progress, and buttons on the board."""

    budgets: ClassVar[tuple[int, ...]] = (1, 30, 100, 400, 30_000)
    scale: ClassVar[float] = 12.0

    def board(self, position: Duel) -> Board:
        """Convert a position to a board."""
        cells = position.cells
        black, white = (sum(1 << at for at, lying in enumerate(cells) if lying in eight) for eight in SETS)
        return position.side, cells, position.barred, black, white, reach_of(position.layout)

    def mover(self, board: Board) -> int:
        """The seat to move."""
        return board[0]

    def key(self, board: Board) -> str:
        """The transposition key: pieces, barred pair and side to move."""
        return f"{board[1]}{board[2]}{board[0]}"

    def choices(self, board: Board) -> Sequence[Choice]:
        """Return every move with its value."""
        side, cells, barred, black, white, reach = board
        own, other = (black, white) if side == 0 else (white, black)
        found: list[Choice] = []
        supply = []
        for button in SETS[side]:
            start = cells.find(button)
            if start < 0:
                supply.append(button)
                continue
            from_bit = 1 << start
            for to in reach[button][start]:
                to_bit = 1 << to
                if button in barred and cells[to] in barred:
                    continue
                if own & to_bit:
                    ours, theirs = own, other
                elif other & to_bit:
                    ours, theirs = own ^ from_bit ^ to_bit, other ^ to_bit ^ from_bit
                else:
                    ours, theirs = own ^ from_bit ^ to_bit, other
                pair = ours << SPACES | theirs
                worth = _kept.get(pair)
                found.append((worth if worth is not None else _worth(pair), (button, start, to)))
        if supply:
            found += self._placings(own, other, supply)
        found.sort(key=_by_worth)
        return found

    def after(self, board: Board, move: Step) -> Board:
        """Return the board after a step."""
        side, cells, _barred, black, white, reach = board
        button, start, to = move
        barred = NOBODY
        if start < 0:
            cells = f"{cells[:to]}{button}{cells[to + 1 :]}"
            black, white = (black | 1 << to, white) if side == 0 else (black, white | 1 << to)
            return 1 - side, cells, barred, black, white, reach
        met, both = cells[to], 1 << start | 1 << to
        if met != EMPTY:
            barred = button + met if button < met else met + button
        cells = with_exchange(cells, start, to)
        if met == EMPTY:
            black, white = (black ^ both, white) if side == 0 else (black, white ^ both)
        elif SIDES[met] != side:
            black, white = black ^ both, white ^ both
        return 1 - side, cells, barred, black, white, reach

    def move(self, board: Board, move: Step) -> Action:
        """Convert a step to a move of the game."""
        button, start, to = move
        return Place(button, to) if start < 0 else Walk(button, start, to)

    def _placings(self, own: int, other: int, supply: list[str]) -> list[Choice]:
        """Return placements next to the enemy; the button's number does not affect their value."""
        taken = own | other
        found: list[Choice] = []
        for to in range(SPACES):
            if taken >> to & 1 or (taken and not _BESIDE[to] & other):
                continue
            worth = _worth((own | 1 << to) << SPACES | other)
            found += [(worth, (button, -1, to)) for button in supply]
        return found


def _worth(pair: int) -> float:
    """Evaluate a pair of bit sets for the side that just moved, which has the higher bits."""
    worth = _kept.get(pair)
    if worth is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        worth = _kept[pair] = _counted(pair >> SPACES, pair & 0xFFFF)
    return worth


def _counted(own: int, other: int) -> float:
    ours, theirs = any(own & line == line for line in LINES), any(other & line == line for line in LINES)
    if ours != theirs:
        return WON if ours else -WON
    worth = PLACED * (own.bit_count() - other.bit_count())
    for line in LINES:
        worth += OWN[(own & line).bit_count()] - THEIRS[(other & line).bit_count()]
    return worth


def _by_worth(choice: Choice) -> float:
    return -choice[0]
