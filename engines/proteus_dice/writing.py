"""Moves as text: canonical notation and the long form."""

from __future__ import annotations

from engines.proteus_dice.dice import EMPTY, NAMES, squares_of
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.state import State


def canonical(position: State, move: Move) -> str:
    """The one text of a legal move that records and letters use."""
    if isinstance(move, Turn) and move.origin != NOWHERE:
        return _with_rotation(short_move(position, move.origin, move.target), move)
    return _complete(position, move)


def long_form(position: State, move: Move) -> str:
    """The text of a legal move that needs no board: from square, to square."""
    if isinstance(move, Turn) and move.origin != NOWHERE:
        return _with_rotation(f"{NAMES[move.origin]}-{NAMES[move.target]}", move)
    return _complete(position, move)


def _with_rotation(text: str, move: Turn) -> str:
    return text if move.turned == NOWHERE else f"{text}/{NAMES[move.turned]}={move.face}"


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
    """The move without a rotation, as in chess, with ^ where it backstabs."""
    face, name = position.board[origin].upper(), NAMES[origin]
    takes = "x" if position.board[target] != EMPTY else ""
    if face == "P":
        start = name[0] if takes else ""
    else:
        start = face + _telling_apart(position, origin, target)
    stab = "^" if position.backstab(origin, target) is not None else ""
    return f"{start}{takes}{NAMES[target]}{stab}"


def _telling_apart(position: State, origin: int, target: int) -> str:
    others = rivals(position, origin, target)
    if not others:
        return ""
    name = NAMES[origin]
    if all(NAMES[other][0] != name[0] for other in others):
        return name[0]
    if all(NAMES[other][1] != name[1] for other in others):
        return name[1]
    return name


def rivals(position: State, origin: int, target: int) -> list[int]:
    """The other own dice that show the same face and could legally move to `target`."""
    board, letter = position.board, position.board[origin]
    if board.count(letter) == 1:
        return []
    return [square for square in squares_of(board, letter) if square != origin and target in position.targets(square)]
