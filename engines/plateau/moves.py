"""Moves of Plateau as values, all legal ones, and one by lot."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from engines.base import Hidden
from engines.plateau.board import PATHS, PERIMETER, RAYS, SQUARES, places
from engines.plateau.exchange import least_payment, payments, tenders
from engines.plateau.pieces import FACES, LAYS, MARKERS, OWNER, TURNED, TYPE_OF, is_part_of, top_unit
from engines.plateau.state import State

OPEN, ONBOARD, MOVE, TENDER, PAY, REFUSE, PASS = "open", "onboard", "move", "tender", "pay", "refuse", "pass"
"""The kinds of moves; a stomp is a move of no squares."""

Walk = tuple[int, bool, tuple[int, ...], tuple[int, ...]]
"""A movement in short: start square, flipped first, squares entered, pieces carried from each one left."""

Group = tuple[str, tuple[int, ...]]
"""Pieces on their way, and how many were carried on from each square so far."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn, or one half of an exchange; what a kind does not need keeps its default.

    `pieces` are the faces put on the board, bottom piece first (`xxrb` opens); `index` says how many
    pieces lie beneath a new one; `steps` are the squares entered in order, the last one included;
    `counts` the pieces carried on from the start and from each square on the way; `selection` the
    digits of the prisoners tendered or paid, cheapest first.
    """

    kind: str
    square: int = -1
    pieces: str = ""
    index: int = 0
    flip: bool = False
    steps: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    selection: str = ""


def walk_move(walk: Walk) -> Move:
    """A movement as a move."""
    square, flip, steps, counts = walk
    return Move(MOVE, square, "", 0, flip, steps, counts)


def legal_moves(position: State, seat: int) -> Iterator[Move]:
    """Every legal move: onboardings, movements, tenders, a pass; found from what the seat sees alone."""
    if seat not in position.to_act:
        return
    if position.tender:
        yield from _replies(position, seat)
    elif position.openings:
        yield from _openings(position, seat)
    else:
        yield from _turns(position, seat)


def _replies(position: State, seat: int) -> Iterator[Move]:
    mine = position.prisoners[seat]
    for chosen in payments(position.tender, mine):
        yield Move(PAY, selection=chosen)
    if not least_payment(position.tender, mine):
        yield Move(REFUSE)


def _openings(position: State, seat: int) -> Iterator[Move]:
    pairs = opening_pairs(position.hands[seat])
    for square in PERIMETER:
        if not position.stacks[square]:
            for pair in pairs:
                yield Move(OPEN, square, pair)


def _must_pass(position: State, seat: int, movements: list[Walk]) -> bool:
    return not position.hands[seat] and not movements and not _hides_a_move(position.stacks, seat)


def opening_pairs(hand: str) -> tuple[str, ...]:
    """Every ordered pair of oriented pieces of the hand, bottom piece first."""
    lays = in_hand(hand)
    return tuple(one + other for one in lays for other in lays if is_part_of(TYPE_OF[one] + TYPE_OF[other], hand))


def _turns(position: State, seat: int) -> Iterator[Move]:
    lays = in_hand(position.hands[seat])
    for square, index in onboarding_places(position.stacks, seat):
        for faces in lays:
            yield Move(ONBOARD, square, faces, index)
    movements = walks(position.stacks, seat)
    yield from map(walk_move, movements)
    for chosen in tenders(position.prisoners[seat], position.prisoners[1 - seat], position.refused):
        yield Move(TENDER, selection=chosen)
    if _must_pass(position, seat, movements):
        yield Move(PASS)


def in_hand(hand: str) -> tuple[str, ...]:
    """The oriented pieces that a hand can put down, cheapest first; of a hand that is not seen, none."""
    if "?" in hand:
        return ()
    return tuple(faces for digit in dict.fromkeys(hand) for faces in LAYS[int(digit)])


def onboarding_places(stacks: tuple[str, ...], seat: int) -> list[tuple[int, int]]:
    """Every place for a new piece: square, and how many pieces lie beneath."""
    return [(square, index) for square in SQUARES for index in places(stacks[square], seat)]


def can_act(stacks: tuple[str, ...], hand: str, seat: int) -> bool:
    """Whether the seat can put a piece on the board, move or stomp.

    Whoever has a hand can: if no square is empty, some of the sixteen hold pieces of his own twelve.
    Raises Hidden where only the faces of a piece that is not seen could tell.
    """
    if hand or any(_can_leave(stacks, seat, square) for square in SQUARES):
        return True
    if _hides_a_move(stacks, seat):
        raise Hidden()
    return False


def _hides_a_move(stacks: tuple[str, ...], seat: int) -> bool:
    tops = [stack[-1] for stack in stacks if stack]
    return any(OWNER[sign] == seat and FACES[sign] in ("x?", "??") for sign in tops)


def _can_leave(stacks: tuple[str, ...], seat: int, square: int) -> bool:
    """Whether anything can move from a square: a unit may jump over anything, and a marker lands anywhere."""
    stack = stacks[square]
    size = top_unit(stack, seat)
    if not size or FACES[stack[-1]] not in ("xx", "x?", "??"):
        return bool(size)
    ends = (end for end, path in PATHS["x"][square].items() if len(path) <= size)
    return any(not stacks[end] or OWNER[stacks[end][-1]] == seat for end in ends)


def walks(stacks: tuple[str, ...], seat: int) -> list[Walk]:
    """Every legal movement of the seat, stomps included."""
    movements: list[Walk] = []
    for square in SQUARES:
        stack = stacks[square]
        if stack and OWNER[stack[-1]] == seat:
            movements += walks_from(stacks, seat, square)
    return movements


def walks_from(stacks: tuple[str, ...], seat: int, square: int) -> list[Walk]:
    """Every legal movement from one square that the seat controls."""
    stack = stacks[square]
    faces = FACES[stack[-1]]
    size = top_unit(stack, seat)
    movements: list[Walk] = []
    for flip in (False, True) if stack[-1] in TURNED else (False,):
        face = faces[flip]
        if face == "?":
            continue
        if face != "x" and size < len(stack):
            movements.append((square, flip, (), ()))
        for path in RAYS[face][square]:
            for steps, carried in _travels(stacks, seat, stack[-size:], face, path):
                movements += [(square, flip, steps, counts) for _group, counts in carried]
    return movements


def _travels(
    stacks: tuple[str, ...], seat: int, unit: str, face: str, path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], list[Group]]]:
    """Where a unit can stop on one path, nearest first, and how it may have been carried there."""
    twisted = face == "o"
    far = len(path) if twisted else min(len(path), len(unit))
    groups: list[Group] = [(unit[-k:], (k,)) for k in range(1, len(unit) + 1)]
    for reached in range(1, far + 1):
        stack = stacks[path[reached - 1]]
        own = not stack or OWNER[stack[-1]] == seat
        if (own or face != "x") and (reached == far or not twisted):
            yield path[:reached], groups
        if reached < far:
            groups = _carried_on(groups, stack, seat)


def _carried_on(groups: list[Group], stack: str, seat: int) -> list[Group]:
    """What can travel on from a square on the way: pieces picked up, dropped, or dropped as a pin."""
    size = top_unit(stack, seat)
    if stack and not size:
        return [
            (group[-c:], (*counts, c))
            for group, counts in groups
            for c in range(1, len(group) + 1)
            if c == len(group) or group[-c - 1] in MARKERS
        ]
    unit = stack[len(stack) - size :]
    return [
        (pile[-c:], (*counts, c))
        for group, counts in groups
        for pile in (unit + group,)
        for c in range(1, len(pile) + 1)
    ]


def random_move(position: State, seat: int, rng: random.Random) -> Move:
    """A legal move, each as likely as the others; onboardings are counted, not listed. Raises Hidden."""
    if position.tender:
        return rng.choice(list(_replies(position, seat)))
    hand = position.hands[seat]
    if position.openings:
        free = [square for square in PERIMETER if not position.stacks[square]]
        pairs = opening_pairs(hand)
        if not pairs:
            raise Hidden()
        return Move(OPEN, rng.choice(free), rng.choice(pairs))
    lays, free_places = in_hand(hand), onboarding_places(position.stacks, seat)
    movements = walks(position.stacks, seat)
    offers = tenders(position.prisoners[seat], position.prisoners[1 - seat], position.refused)
    put = len(lays) * len(free_places)
    count = put + len(movements) + len(offers) + _must_pass(position, seat, movements)
    if not count:
        raise Hidden()
    lot = int(rng.random() * count)
    if lot < put:
        square, index = free_places[lot // len(lays)]
        return Move(ONBOARD, square, lays[lot % len(lays)], index)
    if lot < put + len(movements):
        return walk_move(movements[lot - put])
    lot -= put + len(movements)
    return Move(TENDER, selection=offers[lot]) if lot < len(offers) else Move(PASS)
