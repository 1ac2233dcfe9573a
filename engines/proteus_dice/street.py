"""Wall Street: list, buy and randomly draw armies, set-ups and placements."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product

from engines.base import Hidden, Seat
from engines.proteus_dice.dice import EMPTY, HOMES, rules_for
from engines.proteus_dice.moves import Army, Move, Placing, Roll, Setup
from engines.proteus_dice.state import State

BUDGET = 20
"""The maximum total cost of eight dice."""

CHEAPEST = 2
"""The cost of a pawn."""

ROLLS = tuple(Roll(white, black) for white, black in product(range(1, 7), repeat=2) if white != black)
"""Every decisive pair of throws; ties are repeated without a record (S-v)."""


def price(faces: str, warhorses: bool) -> int:
    """Return the total cost of these dice."""
    value = rules_for(warhorses, False).value
    return sum(value[face] for face in faces)


def sorted_faces(faces: str, warhorses: bool) -> str:
    """Sort dice by value, most expensive first."""
    value = rules_for(warhorses, False).value
    return "".join(sorted(faces, key=lambda face: -value[face]))


@cache
def armies(warhorses: bool) -> tuple[str, ...]:
    """Return the twelve affordable armies, most expensive die first, cheapest army first (S-u)."""
    order = rules_for(warhorses, False).order
    bundles = combinations_with_replacement(order[:0:-1], 8)
    affordable = ["".join(faces) for faces in bundles if price("".join(faces), warhorses) <= BUDGET]
    return tuple(sorted(affordable, key=lambda faces: price(faces, warhorses)))


@cache
def setups(warhorses: bool) -> tuple[str, ...]:
    """Return the 495 set-ups, faces by file."""
    return tuple(_arrangements(rules_for(warhorses, False).order[1:], 8, BUDGET - 8 * CHEAPEST))


def _arrangements(faces: str, size: int, spare: int) -> list[str]:
    if size == 0:
        return [""]
    return [
        face + rest
        for extra, face in enumerate(faces)
        if extra <= spare
        for rest in _arrangements(faces, size - 1, spare - extra)
    ]


def set_up(white: str, black: str) -> str:
    """Return a board with these faces on the starting squares, by file."""
    squares = [EMPTY] * 64
    for home, faces in zip(HOMES, (white, black.lower()), strict=True):
        for square, face in zip(home, faces, strict=True):
            squares[square] = face
    return "".join(squares)


def choices(position: State, seat: Seat) -> Iterator[Move]:
    """Yield every legal move before play begins."""
    warhorses = position.rules.warhorses
    if position.stage == "roll":
        yield from ROLLS
    elif position.stage == "army":
        yield from map(Army, armies(warhorses))
    elif position.stage == "setup":
        yield from map(Setup, setups(warhorses))
    elif position.stage == "place":
        yield from _placings(position, seat)


def _placings(position: State, seat: Seat) -> Iterator[Placing]:
    return (Placing(face, square) for face, square in _places(position, seat))


def _places(position: State, seat: Seat) -> list[tuple[str, int]]:
    """Return each face in hand with each vacant starting square."""
    vacant = [square for square in HOMES[seat] if position.board[square] == EMPTY]
    return list(product(dict.fromkeys(position.hands[seat].replace("?", "")), vacant))


def drawn(position: State, seat: Seat, rng: random.Random) -> Move:
    """Draw a random move before play begins; raise Hidden if the hand is unseen."""
    warhorses = position.rules.warhorses
    if position.stage == "roll":
        return rng.choice(ROLLS)
    if position.stage == "army":
        return Army(rng.choice(armies(warhorses)))
    if position.stage == "setup":
        return Setup(rng.choice(setups(warhorses)))
    if not (places := _places(position, seat)):
        raise Hidden()
    return Placing(*rng.choice(places))


def imagined(position: State, seat: Seat, size: int, rng: random.Random) -> str:
    """Draw `size` sealed dice that `seat` might hold, consistent with those already placed."""
    warhorses = position.rules.warhorses
    if position.stage == "setup":
        return rng.choice(setups(warhorses))
    placed = [position.board[square].upper() for square in HOMES[seat] if position.board[square] != EMPTY]
    hands = (_without(army, placed) for army in armies(warhorses))
    return rng.choice([hand for hand in hands if len(hand) == size])


def _without(army: str, placed: list[str]) -> str:
    for face in placed:
        army = army.replace(face, "", 1)
    return army
