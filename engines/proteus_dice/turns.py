"""Carry out moves, and detect the end of the game.

Nothing here checks a move; `objections` does.
"""

from __future__ import annotations

from dataclasses import replace

from engines.base import Hidden, Seat
from engines.proteus_dice import dice, street
from engines.proteus_dice.dice import EMPTY, SIDES
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.options import Roulette, WallStreet
from engines.proteus_dice.state import S, State, begin_turn

_BLANK = ord(EMPTY)
_CODES = tuple({letter.upper(): ord(letter) for letter in side} for side in SIDES)
"""The byte values of each seat's dice on a board."""


def after(position: S, seat: Seat, move: Move) -> S:
    """Return the position after a legal move, detecting the end of the game."""
    if isinstance(move, Turn):
        return _after_turn(position, move)
    if isinstance(move, Throw):
        return _after_throw(position, move)
    if isinstance(move, Roll):
        return _after_roll(position, int(move.black > move.white))
    if isinstance(move, Placing):
        return _after_placing(position, move)
    return _after_sealing(position, seat, move)


def _after_roll(position: S, first: Seat) -> S:
    stage = "setup" if position.rules.wall_street is WallStreet.SECRET else "place"
    return replace(position, turn=first, first=first, stage=stage)


def _after_turn(position: S, move: Turn) -> S:
    squares = bytearray(position.board.encode())
    if move.turned != NOWHERE:
        squares[move.turned] = _CODES[position.turn][move.face]
    if move.origin != NOWHERE:
        return _after_move(position, move, squares)
    quiet = 0 if position.stage == "rotate" else position.quiet + 1
    return _next_turn(position, squares.decode(), position.white, position.black, quiet, position.unmoved)


def _after_move(position: S, move: Turn, squares: bytearray) -> S:
    """Return the position after a move, on a board that already has the rotation."""
    rules, origin, target = position.dice_rules, move.origin, move.target
    stabbed = dice.backstabbed(position.board, origin, target, rules)
    met = position.board[target]
    points = 0 if met == EMPTY else rules.value[met]
    unmoved = position.unmoved and position.unmoved & ~(1 << origin | 1 << target)
    if stabbed is not None:
        points += rules.value["Q"]
        squares[stabbed] = _BLANK
        unmoved &= ~(1 << stabbed)
    squares[target], squares[origin] = squares[origin], _BLANK
    board = squares.decode()
    if not points:
        return _next_turn(position, board, position.white, position.black, position.quiet + 1, unmoved)
    white, black = (points, 0) if position.turn == 0 else (0, points)
    return _after_capture(position, board, position.white + white, position.black + black, unmoved, target)


def _after_capture(position: S, board: str, white: int, black: int, unmoved: int, target: int) -> S:
    common = position.rules, board, position.turn, position.first, white, black, 0, position.number, unmoved
    if dice.count(board, 1 - position.turn) <= 1:
        return type(position)(*common, "over", ending="dice")
    if position.rules.roulette is not Roulette.NONE:
        return type(position)(*common, "throw", target)
    return _next_turn(position, board, white, black, 0, unmoved)


def _after_throw(position: S, move: Throw) -> S:
    board = position.board[: position.square] + _own(position, move.face) + position.board[position.square + 1 :]
    if position.rules.roulette is Roulette.BEFORE:
        score = position.white, position.black
        common = position.rules, board, position.turn, position.first, *score, 0, position.number, position.unmoved
        return type(position)(*common, "rotate", position.square)
    return _next_turn(position, board, position.white, position.black, 0, position.unmoved)


def _own(position: State, face: str) -> str:
    return face if position.turn == 0 else face.lower()


def _next_turn(position: S, board: str, white: int, black: int, quiet: int, unmoved: int) -> S:
    turn = 1 - position.turn
    comparable = quiet and unmoved == position.unmoved
    return begin_turn(
        type(position),
        position.rules,
        board,
        turn,
        position.first,
        white,
        black,
        quiet,
        position.number + (turn == position.first),
        unmoved,
        position.seen if comparable else "",
    )


def _after_placing(position: S, move: Placing) -> S:
    board = position.board[: move.square] + _own(position, move.face) + position.board[move.square + 1 :]
    if "?" in position.hands[position.turn]:
        raise Hidden()
    hand = position.hands[position.turn].replace(move.face, "", 1)
    hands = (hand, position.hands[1]) if position.turn == 0 else (position.hands[0], hand)
    if hands == ("", ""):
        return position.opening(position.rules, board, position.first)
    return type(position)(position.rules, board, 1 - position.turn, position.first, stage="place", hands=hands)


def _after_sealing(position: S, seat: Seat, move: Army | Setup) -> S:
    hands = (move.faces, position.hands[1]) if seat == 0 else (position.hands[0], move.faces)
    if "" in hands:
        return replace(position, hands=hands)
    if position.stage == "army":
        return replace(position, hands=hands, stage="roll")
    if "?" in "".join(hands):
        raise Hidden()
    return position.opening(position.rules, street.set_up(*hands), position.first)
