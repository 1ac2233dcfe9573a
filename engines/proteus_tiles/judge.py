"""Heuristic evaluation for Proteus with tiles: how close each side is to the goals.

The goal in force has the most weight. A board is a tuple: the seat to move, then tiles, pieces and the tiles in force
as `state` stores them. Repetition is ignored here; the engine checks it for the moves actually made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engines.judging import WON, Choice, Judge
from engines.proteus_tiles.moves import EXCHANGES, PLACINGS, STEPS, Move
from engines.proteus_tiles.placement import in_hand, missing, openings, vacant
from engines.proteus_tiles.position import Tiles
from engines.proteus_tiles.tiles import (
    COLOUR,
    COLOUR_OF_EACH,
    DIGITS,
    LINES,
    MATCHES,
    NO_PIECE,
    NO_TILE,
    OWNER_OF_EACH,
    PAIRS,
    PIECES,
    REACH,
    RULE,
    SHAPE_OF_EACH,
    TILE,
)

Board = tuple[int, str, str, str]
Act = tuple[str, str, int, int]
"""A move: kind (“tile”, “piece”, “step” or “swap”), tile or piece, and two spaces.

The first space is -1 if the kind needs only one.
"""

FORCE, ASLEEP = 3.0, 0.3
"""The weight of progress towards the goal in force, and towards other goals."""

INITIATIVE = 0.3
"""The bonus for the side to move."""

MOST_KEPT = 200_000
"""Maximum number of cached evaluations."""

_GOALS = DIGITS[6:]
_SPACES = range(9)
_kept: dict[str, tuple[float, float]] = {}
_WON, _LOST, _BOTH = (WON, -WON), (-WON, WON), (0.0, 0.0)


class TilesJudge(Judge):
    """Evaluates pieces in line, on one colour or on one shape; detects wins exactly."""

    budgets: ClassVar[tuple[int, ...]] = (1, 30, 100, 400, 20_000)
    scale: ClassVar[float] = 12.0

    def board(self, position: Tiles) -> Board:
        """Convert a position to a board."""
        return position.seat, position.tiles, position.pieces, position.lit

    def mover(self, board: Board) -> int:
        """The seat to move."""
        return board[0]

    def choices(self, board: Board) -> Sequence[Choice]:
        """Return every move with its value, ignoring repetition."""
        seat, tiles, pieces, lit = board
        acts = _placings(board) if _placing(tiles, pieces) else _actions(board)
        unchanged = _worth(tiles, pieces, lit)[seat]  # a newly placed tile has no piece yet
        found: list[Choice] = []
        for act in acts:
            worth = unchanged if act[0] == "tile" else _worth(*_acted(tiles, pieces, lit, act))[seat]
            found.append((worth, act))
        found.sort(key=_by_worth)
        return found

    def after(self, board: Board, move: Act) -> Board:
        """Return the board after a move; a seat with nothing left to place passes."""
        seat, tiles, pieces, lit = board
        tiles, pieces, lit = _acted(tiles, pieces, lit, move)
        other = 1 - seat
        if NO_TILE not in tiles and pieces.count(NO_PIECE) > 3 and all(piece in pieces for piece in PIECES[other]):
            other = seat
        return other, tiles, pieces, lit

    def move(self, board: Board, move: Act) -> Move:
        """Convert a board move to a move of the game."""
        kind, what, start, to = move
        if kind == "tile":
            return PLACINGS[TILE[what]][to]
        if kind == "piece":
            return PLACINGS[what.lower()][to]
        return STEPS[what.lower()][to] if kind == "step" else EXCHANGES[start, to]


def _placing(tiles: str, pieces: str) -> bool:
    return NO_TILE in tiles or pieces.count(NO_PIECE) > 3


def _placings(board: Board) -> list[Act]:
    seat, tiles, pieces, lit = board
    bare = [at for at in _SPACES if tiles[at] == NO_TILE]
    acts: list[Act] = [("tile", tile, -1, at) for tile in DIGITS if tile not in tiles for at in bare]
    free, hand, wanted = vacant(tiles, pieces), in_hand(pieces), missing(lit)
    for piece in PIECES[seat]:
        if piece not in pieces:
            opened = openings(free, hand, wanted, piece.lower())
            acts += [("piece", piece, -1, at) for at in _SPACES if tiles[at] in opened and pieces[at] == NO_PIECE]
    return acts


def _actions(board: Board) -> list[Act]:
    seat, tiles, pieces, lit = board
    acts: list[Act] = []
    reach = REACH[lit[0]]
    for piece in PIECES[seat]:
        start = pieces.index(piece)
        acts += [("step", piece, start, to) for to in reach[start] if pieces[to] == NO_PIECE]
    rule = RULE[lit[1]]
    if rule == "POLARITY":
        marks = pieces.translate(OWNER_OF_EACH)
        acts += [("swap", "", *pair) for pair in PAIRS if marks[pair[0]] + marks[pair[1]] in ("BW", "WB")]
    else:
        marks = tiles.translate(COLOUR_OF_EACH if rule == "COLOR" else SHAPE_OF_EACH)
        acts += [("swap", "", *pair) for pair in PAIRS if marks[pair[0]] == marks[pair[1]]]
    return acts


def _acted(tiles: str, pieces: str, lit: str, act: Act) -> tuple[str, str, str]:
    """Return tiles, pieces and tiles in force after a move (rulings K-l to K-r)."""
    kind, what, start, to = act
    if kind == "swap":
        return _swapped(tiles, pieces, lit, start, to)
    if kind == "tile":
        tiles = tiles[:to] + what + tiles[to + 1 :]
        return tiles, pieces, lit
    if kind == "step":
        pieces = pieces.replace(what, NO_PIECE)
    pieces = pieces[:to] + what + pieces[to + 1 :]
    tile = tiles[to]
    if tile + what in MATCHES and tile not in lit:
        lit = _lit(lit, tile)
    return tiles, pieces, lit


def _swapped(tiles: str, pieces: str, lit: str, one: int, other: int) -> tuple[str, str, str]:
    first, second = tiles[other], tiles[one]
    tiles = tiles[:one] + first + tiles[one + 1 : other] + second + tiles[other + 1 :]
    wakes = first + pieces[one] in MATCHES and first not in lit
    wakes_too = second + pieces[other] in MATCHES and second not in lit
    if wakes and wakes_too and COLOUR[first] == COLOUR[second]:
        return tiles, pieces, lit
    if wakes:
        lit = _lit(lit, first)
    if wakes_too:
        lit = _lit(lit, second)
    return tiles, pieces, lit


def _lit(lit: str, tile: str) -> str:
    place = COLOUR[tile]
    return lit[:place] + tile + lit[place + 1 :]


def _worth(tiles: str, pieces: str, lit: str) -> tuple[float, float]:
    """Return the board's value to each seat, as if that seat had just moved."""
    key = tiles + pieces + lit[2]
    worth = _kept.get(key)
    if worth is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        worth = _kept[key] = _counted(tiles, pieces, lit[2])
    return worth


def _counted(tiles: str, pieces: str, goal: str) -> tuple[float, float]:
    spaces = tuple([at for at in _SPACES if pieces[at] in eight] for eight in PIECES)
    near = [[_nearness(tiles, own, goal_tile) for goal_tile in _GOALS] for own in spaces]
    if goal != NO_TILE:
        at = _GOALS.index(goal)
        black, white = near[0][at] >= 3, near[1][at] >= 3
        if black != white:
            return _WON if black else _LOST
    counts = [sum(each * (FORCE if tile == goal else ASLEEP) for each, tile in zip(one, _GOALS, strict=True))
              for one in near]  # fmt: skip
    return counts[0] - counts[1] * (1 + INITIATIVE), counts[1] - counts[0] * (1 + INITIATIVE)


def _nearness(tiles: str, spaces: list[int], goal: str) -> int:
    """Return the maximum number of a side's pieces that meet a goal together; three fulfil it."""
    if len(spaces) < 2:
        return len(spaces)
    if RULE[goal] == "3-IN-LINE":
        return _IN_LINE[tuple(spaces)]
    marks = tiles.translate(COLOUR_OF_EACH if RULE[goal] == "COLOR" else SHAPE_OF_EACH)
    under = [marks[at] for at in spaces]
    return max(map(under.count, under))


def _in_line(spaces: tuple[int, ...]) -> int:
    names = "".join(map(str, spaces))
    return 3 if names in LINES else max(sum(name in line for name in names) for line in LINES)


_IN_LINE: dict[tuple[int, ...], int] = {
    spaces: _in_line(spaces)
    for spaces in list[tuple[int, ...]](PAIRS)
    + [(one, other, third) for one, other in PAIRS for third in range(other + 1, 9)]
}
"""The maximum number of spaces in one line, for each set of spaces."""


def _by_worth(choice: Choice) -> float:
    return -choice[0]
