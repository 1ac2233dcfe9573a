"""The dice and their movement: faces, their order, starting squares, reach on the board.

A board is a string of 64 characters, a1 first: "." for an empty square, else the letter of the face, capital for White
and small for Black. Squares are numbered as in `engines.squares`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from engines.squares import DIAGONAL, KNIGHT, ORTHOGONAL, Step, names, neighbours, ray

EMPTY = "."
NAMES = names(8, 8)
"""The names of the squares by number."""

SQUARES = {name: number for number, name in enumerate(NAMES)}
"""The number of each square by name."""

SIDES = ("YPBNRQ", "ypbnrq")
"""The faces of each seat's dice on a board: pyramid, pawn, bishop, knight, rook, queen."""

HOMES = ((0, 9, 2, 11, 4, 13, 6, 15), (48, 57, 50, 59, 52, 61, 54, 63))
"""The starting squares of each seat by file: the dark squares of its two ranks."""

HOME_MASKS = tuple(sum(1 << square for square in home) for home in HOMES)
"""The starting squares of each seat as bit sets."""

BOTH_HOMES = HOME_MASKS[0] | HOME_MASKS[1]
FORWARD = (8, -8)
"""The change of square number for one step forward, by seat."""

_BEFORE_QUEENS = {letter: -step for seat, step in enumerate(FORWARD) for letter in SIDES[seat]}
"""Offset from a die's target to the queen that it backstabs, by the die's letter."""

_MOVABLE = tuple(side[:0:-1] for side in SIDES)
"""The letters of each seat's dice that may move, most valuable first: all but pyramids."""

_STEPS: dict[str, tuple[Step, ...]] = {"B": DIAGONAL, "R": ORTHOGONAL, "Q": ORTHOGONAL + DIAGONAL}

RAYS: dict[str, tuple[tuple[tuple[int, ...], ...], ...]] = {
    face: tuple(tuple(squares for step in steps if (squares := ray(square, step, 8, 8))) for square in range(64))
    for face, steps in (*_STEPS.items(), *((face.lower(), steps) for face, steps in _STEPS.items()))
}
"""The rays of a sliding die from each square, nearest squares first."""

KNIGHT_MOVES = tuple(neighbours(square, KNIGHT, 8, 8) for square in range(64))
"""The squares a knight's move away."""

PAWN_ATTACKS = tuple(tuple(neighbours(square, ((-1, up), (1, up)), 8, 8) for square in range(64)) for up in (1, -1))
"""The squares that a pawn of each seat attacks: diagonally in front of it."""

_NEXT_SQUARES: dict[str, tuple[tuple[int, ...], ...]] = {
    **{face: tuple(tuple(line[0] for line in rays) for rays in by_square) for face, by_square in RAYS.items()},
    **{"N": KNIGHT_MOVES, "n": KNIGHT_MOVES},
    **{face: tuple(ray(square, (0, up), 8, 8)[:1] for square in range(64)) for face, up in (("P", 1), ("p", -1))},
}
"""The first squares on a die's paths.

If it can enter none of them, the die cannot move, except for a pawn's captures.
"""

_ALL_SQUARES = tuple(range(64))
_MARKING = tuple(bytes(chr(code) in own for code in range(256)) for own in SIDES)
"""The `bytes.translate` table for each seat that maps its dice to 1 and all else to 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Lookup tables for dice, for one combination of Warhorses and Polarity.

    `value` gives the points of a face. `one_step` and `two_step` give the faces one and two steps away, in capitals
    (down before up). `capturable` are the enemy dice that may be captured. `enterable` is the possible content of a
    target square: these dice, or empty; only empty straight ahead of a pawn. `stabs` is the enemy queen if she may be
    captured, else "".
    """

    order: str
    value: dict[str, int]
    one_step: dict[str, str]
    two_step: dict[str, str]
    capturable: dict[str, str]
    enterable: dict[str, str]
    stabs: dict[str, str]


def _rules(warhorses: bool, polarity: bool) -> Rules:
    order = "YPNBRQ" if warhorses else "YPBNRQ"
    value = {letter: number for number, face in enumerate(order, 1) for letter in (face, face.lower())}
    capturable = {letter: _capturable(letter, value, polarity) for letter in value}
    return Rules(
        order,
        value,
        {letter: _away(order, letter, 1) for letter in value},
        {letter: _away(order, letter, 2) for letter in value},
        capturable,
        {letter: EMPTY if letter in "Pp" else EMPTY + enemies for letter, enemies in capturable.items()},
        {letter: enemies[-1:] if enemies[-1:] in ("Q", "q") else "" for letter, enemies in capturable.items()},
    )


def _away(order: str, letter: str, steps: int) -> str:
    place = order.index(letter.upper())
    return "".join(order[at] for at in (place - steps, place + steps) if 0 <= at < 6)


def _capturable(letter: str, value: dict[str, int], polarity: bool) -> str:
    enemies = SIDES[letter.isupper()][1:]
    return "".join(one for one in enemies if not polarity or (value[one] - value[letter]) % 2)


RULES = tuple(tuple(_rules(warhorses, polarity) for polarity in (False, True)) for warhorses in (False, True))
"""The lookup tables as `RULES[warhorses][polarity]`."""


def rules_for(warhorses: bool, polarity: bool) -> Rules:
    """Return the lookup tables for these options."""
    return RULES[warhorses][polarity]


def own_squares(board: str, seat: int) -> list[int]:
    """Return the squares of the dice of `seat`, in order."""
    return list(compress(_ALL_SQUARES, board.encode().translate(_MARKING[seat])))


def squares_of(board: str, letter: str) -> list[int]:
    """Return the squares of one side's dice that show a face, in order."""
    squares, square = [], board.find(letter)
    while square >= 0:
        squares.append(square)
        square = board.find(letter, square + 1)
    return squares


def count(board: str, seat: int) -> int:
    """Count the dice of `seat` on the board."""
    return board.encode().translate(_MARKING[seat]).count(1)


def targets(board: str, square: int, rules: Rules, doubling: int) -> list[int]:
    """Return the squares to which the die may move; pawns on `doubling` may step two."""
    letter = board[square]
    if letter in RAYS:
        return _slides(board, RAYS[letter][square], rules.capturable[letter])
    if letter in "Pp":
        return _pawn_targets(board, square, rules.capturable[letter], doubling)
    if letter in "Nn":
        enterable = rules.enterable[letter]
        return [to for to in KNIGHT_MOVES[square] if board[to] in enterable]
    return []


def _slides(board: str, rays: tuple[tuple[int, ...], ...], capturable: str) -> list[int]:
    squares = []
    for line in rays:
        for to in line:
            letter = board[to]
            if letter == EMPTY:
                squares.append(to)
                continue
            if letter in capturable:
                squares.append(to)
            break
    return squares


def _pawn_targets(board: str, square: int, capturable: str, doubling: int) -> list[int]:
    seat = board[square] == "p"
    squares, ahead = [], square + FORWARD[seat]
    if 0 <= ahead < 64 and board[ahead] == EMPTY:
        squares.append(ahead)
        if doubling & HOME_MASKS[seat] & (1 << square) and board[ahead + FORWARD[seat]] == EMPTY:
            squares.append(ahead + FORWARD[seat])
    for to in PAWN_ATTACKS[seat][square]:
        if board[to] in capturable:
            squares.append(to)
    return squares


def can_move(board: str, seat: int, rules: Rules) -> bool:
    """Whether any die of `seat` can move.

    The most valuable dice are tried first, since they usually can.
    """
    for letter in _MOVABLE[seat]:
        if letter in board and _can_enter(board, letter, rules.enterable[letter]):
            return True
    return _can_capture_with_a_pawn(board, seat, rules)


def _can_enter(board: str, letter: str, enterable: str) -> bool:
    """Whether any of these dice can make the first step of a path."""
    next_squares, square = _NEXT_SQUARES[letter], board.find(letter)
    while square >= 0:
        for to in next_squares[square]:
            if board[to] in enterable:
                return True
        square = board.find(letter, square + 1)
    return False


def _can_capture_with_a_pawn(board: str, seat: int, rules: Rules) -> bool:
    pawn = SIDES[seat][1]
    attacked = {to for square in squares_of(board, pawn) for to in PAWN_ATTACKS[seat][square]}
    return any(board[to] in rules.capturable[pawn] for to in attacked)


def backstabbed(board: str, origin: int, target: int, rules: Rules) -> int | None:
    """Return the square of the enemy queen that a move backstabs, or None.

    She stands directly in front of `target`, as the mover sees it (S-f).
    """
    letter = board[origin]
    if (queen := rules.stabs[letter]) not in board:
        return None
    front = target + _BEFORE_QUEENS[letter]
    return front if 0 <= front < 64 and board[front] == queen else None
