"""Moves of Plateau as values: list all legal ones, or draw one at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engines.base import Hidden
from engines.plateau.board import FARTHEST, PATHS, PERIMETER, SQUARES, STOPS, places
from engines.plateau.carrying import ENEMY, VACANT, Counts, carryings, outline
from engines.plateau.exchange import least_payment, payments, tenders
from engines.plateau.pieces import FACES, LAYS, OWNER, TURNED, TYPE_OF, is_part_of, top_unit
from engines.plateau.state import State

OPEN, ONBOARD, MOVE, TENDER, PAY, REFUSE, PASS = "open", "onboard", "move", "tender", "pay", "refuse", "pass"
"""The kinds of moves; a stomp is a MOVE without squares."""

Walk = tuple[int, bool, tuple[int, ...], tuple[int, ...]]
"""A movement: start square, flipped first or not, squares entered, pieces carried from each."""

Way = tuple[int, bool, tuple[int, ...], tuple[Counts, ...]]
"""Movements that differ only in counts: start, flipped first, squares, possible counts."""

STOMP: tuple[Counts, ...] = ((),)
"""The counts of a stomp: nothing is carried."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn, or one half of an exchange; fields that a kind does not use keep their defaults.

    `pieces` are the faces put on the board, bottom piece first (`xxrb` opens). `index` is the number of pieces beneath
    a new one. `steps` are the squares entered in order, including the last. `counts` are the pieces carried on from the
    start and from each square on the way. `selection` holds the digits of the prisoners tendered or paid, cheapest
    first.
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
    """Convert a movement to a move."""
    square, flip, steps, counts = walk
    return Move(MOVE, square, "", 0, flip, steps, counts)


def legal_moves(position: State, seat: int) -> Iterator[Move]:
    """Yield every legal move: onboardings, movements, tenders, a pass.

    It depends only on what the seat sees.
    """
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


def _must_pass(position: State, seat: int, movements: list[Walk] | list[Way]) -> bool:
    return not position.hands[seat] and not movements and not _hides_a_move(position.stacks, seat)


@lru_cache(maxsize=256)
def opening_pairs(hand: str) -> tuple[str, ...]:
    """Return every ordered pair of oriented pieces of the hand, bottom piece first."""
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


@lru_cache(maxsize=4096)
def in_hand(hand: str) -> tuple[str, ...]:
    """Return the oriented pieces that a hand can place, cheapest first; none for an unseen hand."""
    if "?" in hand:
        return ()
    return tuple(faces for digit in dict.fromkeys(hand) for faces in LAYS[int(digit)])


def onboarding_places(stacks: tuple[str, ...], seat: int) -> list[tuple[int, int]]:
    """Return every place for a new piece: square, and number of pieces beneath."""
    return [(square, index) for square in SQUARES for index in places(stacks[square], seat)]


def can_act(stacks: tuple[str, ...], hand: str, seat: int) -> bool:
    """Whether the seat can put a piece on the board, move or stomp.

    A seat with a hand always can: if no square is vacant, some squares hold its own pieces. Raises Hidden if it depends
    on an unseen face.
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
    """Whether any piece can leave a square.

    A unit may jump over anything, and a piece with a marker up may land anywhere.
    """
    stack = stacks[square]
    size = top_unit(stack, seat)
    if not size or FACES[stack[-1]] not in ("xx", "x?", "??"):
        return bool(size)
    ends = (end for end, path in PATHS["x"][square].items() if len(path) <= size)
    return any(not stacks[end] or OWNER[stacks[end][-1]] == seat for end in ends)


def walks(stacks: tuple[str, ...], seat: int) -> list[Walk]:
    """Return every legal movement of the seat, stomps included."""
    return [(square, flip, steps, counts) for square, flip, steps, choices in ways(stacks, seat) for counts in choices]


def walks_from(stacks: tuple[str, ...], seat: int, square: int) -> list[Walk]:
    """Return every legal movement from one square that the seat controls."""
    outlines = [outline(stack, seat) for stack in stacks]
    return [
        (square, flip, steps, counts)
        for _square, flip, steps, choices in _ways_from(stacks[square], outlines, square)
        for counts in choices
    ]


def ways(stacks: tuple[str, ...], seat: int) -> list[Way]:
    """Return every path of the seat's units, with all counts of carried pieces; stomps included."""
    outlines = [outline(stack, seat) if stack else VACANT for stack in stacks]
    found: list[Way] = []
    for square in SQUARES:
        if outlines[square] not in (VACANT, ENEMY):
            found += _ways_from(stacks[square], outlines, square)
    return found


def _ways_from(stack: str, outlines: list[str], square: int) -> list[Way]:
    unit, top = outlines[square], stack[-1]
    near = carryings(unit, ())
    found: list[Way] = []
    for flip in (False, True) if top in TURNED else (False,):
        face = FACES[top][flip]
        if face == "?":
            continue
        if face != "x" and len(unit) < len(stack):
            found.append((square, flip, (), STOMP))
        for steps, last, passed in STOPS[face][square][min(len(unit), FARTHEST)]:
            if face != "x" or outlines[last] != ENEMY:
                choices = carryings(unit, tuple([outlines[on] for on in passed])) if passed else near
                found.append((square, flip, steps, choices))
    return found


def random_move(position: State, seat: int, rng: random.Random) -> Move:
    """Draw a uniformly random legal move, counting moves without building them. Raises Hidden."""
    if position.tender:
        return rng.choice(list(_replies(position, seat)))
    return _random_opening(position, seat, rng) if position.openings else _random_turn(position, seat, rng)


def _random_opening(position: State, seat: int, rng: random.Random) -> Move:
    free = [square for square in PERIMETER if not position.stacks[square]]
    pairs = opening_pairs(position.hands[seat])
    if not pairs:
        raise Hidden()
    return Move(OPEN, rng.choice(free), rng.choice(pairs))


def _random_turn(position: State, seat: int, rng: random.Random) -> Move:
    lays, free_places = in_hand(position.hands[seat]), onboarding_places(position.stacks, seat)
    movements = ways(position.stacks, seat)
    offers = tenders(position.prisoners[seat], position.prisoners[1 - seat], position.refused)
    put, moving = len(lays) * len(free_places), sum([len(way[3]) for way in movements])
    count = put + moving + len(offers) + _must_pass(position, seat, movements)
    if not count:
        raise Hidden()
    lot = int(rng.random() * count)
    if lot < put:
        square, index = free_places[lot // len(lays)]
        return Move(ONBOARD, square, lays[lot % len(lays)], index)
    if lot < put + moving:
        return walk_move(_numbered(movements, lot - put))
    lot -= put + moving
    return Move(TENDER, selection=offers[lot]) if lot < len(offers) else Move(PASS)


def _numbered(movements: list[Way], number: int) -> Walk:
    """Return a movement by its number from 0, counting all counts of all paths."""
    for square, flip, steps, choices in movements:
        if number < len(choices):
            return square, flip, steps, choices[number]
        number -= len(choices)
    raise IndexError("there are not so many movements")
