"""Write moves: canonical notation and long form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines.proteus_dice.dice import EMPTY, NAMES, Rules, backstabbed, squares_of, targets
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.state import State

_KEPT = 1_024
"""Size of the cache of moves without rotations, enough for about twenty positions."""


def canonical(position: State, move: Move) -> str:
    """Write the canonical text of a legal move, as used in records and mail."""
    return _canonical(position, move, position.dice_rules, position.doubling)


def all_canonical(position: State, moves: Iterable[Move]) -> list[str]:
    """Write several moves; faster, because the options are looked up only once."""
    rules, doubling = position.dice_rules, position.doubling
    return [_canonical(position, move, rules, doubling) for move in moves]


def _canonical(position: State, move: Move, rules: Rules, doubling: int) -> str:
    if isinstance(move, Turn) and move.origin != NOWHERE:
        text = _short(position.board, move.origin, move.target, rules, doubling)
        return text if move.turned == NOWHERE else f"{text}/{NAMES[move.turned]}={move.face}"
    return _complete(position, move)


def long_form(position: State, move: Move) -> str:
    """Write the long form of a legal move, with both squares."""
    if isinstance(move, Turn) and move.origin != NOWHERE:
        text = f"{NAMES[move.origin]}-{NAMES[move.target]}"
        return text if move.turned == NOWHERE else f"{text}/{NAMES[move.turned]}={move.face}"
    return _complete(position, move)


def _complete(position: State, move: Move) -> str:
    match move:
        case Throw(face):
            return f"{{{face}}}"
        case Roll(white, black):
            return f"roll {white}-{black}"
        case Army(faces):
            return f"army {faces}"
        case Setup(faces):
            return f"setup {faces}"
        case Placing(face, square):
            return f"{face}@{NAMES[square]}"
    sign = "=" if position.stage == "rotate" else "=="
    return f"{NAMES[move.turned]}{sign}{move.face}"


def short_move(position: State, origin: int, target: int) -> str:
    """Write the move without rotation, as in chess, with ^ for a backstab."""
    return _short(position.board, origin, target, position.dice_rules, position.doubling)


@lru_cache(maxsize=_KEPT)
def _short(board: str, origin: int, target: int, rules: Rules, doubling: int) -> str:
    """Write the move without rotation, cached because all its rotations share it."""
    face, name = board[origin].upper(), NAMES[origin]
    takes = "x" if board[target] != EMPTY else ""
    if face == "P":
        start = name[0] if takes else ""
    else:
        start = face + _telling_apart(name, _rivals(board, origin, target, rules, doubling))
    stab = "^" if backstabbed(board, origin, target, rules) is not None else ""
    return f"{start}{takes}{NAMES[target]}{stab}"


def _telling_apart(name: str, others: list[str]) -> str:
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    if all(other[1] != name[1] for other in others):
        return name[1]
    return name


def _rivals(board: str, origin: int, target: int, rules: Rules, doubling: int) -> list[str]:
    """Return the squares of other own dice with this face that could also move to `target`."""
    letter = board[origin]
    if board.count(letter) == 1:
        return []
    return [
        NAMES[square]
        for square in squares_of(board, letter)
        if square != origin and target in targets(board, square, rules, doubling)
    ]
