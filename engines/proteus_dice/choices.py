"""List the legal moves of a position, or draw one at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from engines.base import Seat
from engines.proteus_dice import dice, street
from engines.proteus_dice.dice import EMPTY
from engines.proteus_dice.moves import NOWHERE, Move, Throw, Turn
from engines.proteus_dice.state import State


def legal_moves(position: State, seat: Seat) -> Iterator[Move]:
    """Yield every legal move: by the die that moves, its target, the die turned and its face."""
    if seat not in position.to_act:
        return iter(())
    if position.stage == "turn":
        return _turns(position)
    if position.stage == "rotate":
        return position.rotations(NOWHERE, position.square)
    if position.stage == "throw":
        return (Throw(face) for face in position.dice_rules.order)
    return street.choices(position, seat)


def _turns(position: State) -> Iterator[Turn]:
    for origin in dice.own_squares(position.board, position.turn):
        for target in position.targets(origin):
            if position.follows(origin, target) == "rotation":
                yield from position.rotations(origin, target)
            else:
                yield Turn(origin, target)
    if position.rules.trade_off:
        yield from _doubles(position)


def first_turns(position: State, most: int) -> Iterator[Turn]:
    """Return the first turn for each move among the first `most` legal turns.

    The other turns are not built, for speed.
    """
    own = dice.own_squares(position.board, position.turn)
    ways = {square: len(position.dice_rules.one_step[position.board[square]]) for square in own}
    for origin in own:
        for target in position.targets(origin):
            if most <= 0:
                return
            if position.follows(origin, target) == "rotation":
                yield from islice(position.rotations(origin, target), 1)
                most -= sum(ways.values()) - ways[origin]
            else:
                yield Turn(origin, target)
                most -= 1


def first_double(position: State) -> Turn | None:
    """Return the first legal double rotation, or None."""
    return next(_doubles(position), None) if position.rules.trade_off else None


def _doubles(position: State) -> Iterator[Turn]:
    two_step = position.dice_rules.two_step
    for square in dice.own_squares(position.board, position.turn):
        for face in two_step[position.board[square]]:
            yield Turn(turned=square, face=face)


def random_move(position: State, seat: Seat, rng: random.Random) -> Move:
    """Draw a random move of the seat to act: first the die, then its path, then the die to turn."""
    if position.stage == "turn":
        return _random_turn(position, rng)
    if position.stage == "rotate":
        return _random_rotation_alone(position, rng)
    if position.stage == "throw":
        return Throw(rng.choice(position.dice_rules.order))
    return street.drawn(position, seat, rng)


def _random_turn(position: State, rng: random.Random) -> Turn:
    board, rules, doubling = position.board, position.dice_rules, position.doubling
    own = dice.own_squares(board, position.turn)
    if position.rules.trade_off and rng.random() < 0.1:
        return _random_double(position, own, rng)
    start = int(rng.random() * len(own))
    for origin in own[start:] + own[:start]:
        if targets := dice.targets(board, origin, rules, doubling):
            target = targets[int(rng.random() * len(targets))]
            is_quiet = board[target] == EMPTY and dice.backstabbed(board, origin, target, rules) is None
            if not is_quiet and position.follows(origin, target) != "rotation":
                return Turn(origin, target)
            own.remove(origin)
            return _random_rotation(board, rules, origin, target, own, rng)
    return _random_double(position, own, rng)


def _random_double(position: State, own: list[int], rng: random.Random) -> Turn:
    square = rng.choice(own)
    return Turn(turned=square, face=rng.choice(position.dice_rules.two_step[position.board[square]]))


def _random_rotation_alone(position: State, rng: random.Random) -> Turn:
    own = dice.own_squares(position.board, position.turn)
    own.remove(position.square)
    return _random_rotation(position.board, position.dice_rules, NOWHERE, NOWHERE, own, rng)


def _random_rotation(
    board: str, rules: dice.Rules, origin: int, target: int, own: list[int], rng: random.Random
) -> Turn:
    """Complete the move with a random rotation of one of these dice."""
    square = own[int(rng.random() * len(own))]
    faces = rules.one_step[board[square]]
    return Turn(origin, target, square, faces[int(rng.random() * len(faces))])
