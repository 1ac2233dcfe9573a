"""Positions of Plateau as text, such as `a1: Bxx Wxx Wrr; B holds M,RM; W to move`.

Stacks are listed from the bottom up, pieces as owner and faces; then prisoners, the tender awaiting its reply, the
tenders refused in this turn, and the seat to act. Empty parts are left out. `opening` precedes the seat to act during
the opening. In redacted positions unknown faces are `?`, and unseen hands follow as sizes. The text does not record
passes, quiet turns, or which faces are public; a parsed position has the up faces of top pieces public.
"""

from __future__ import annotations

import re

from engines.base import quoted
from engines.plateau.board import NAMES, NUMBER, SQUARES
from engines.plateau.pieces import (
    FACES,
    OWNER,
    OWNERS,
    SEATS,
    SECRET,
    SHOWN,
    SIGN,
    TWELVE,
    TYPE,
    TYPE_OF,
    TYPES,
    is_part_of,
    longest_unit,
    minus,
    types_text,
)
from engines.plateau.state import PRISONERS, STACK, S, State
from engines.plateau.turns import SIX, can_do_something, passed, settled
from engines.wording import _

_STACK = re.compile(r"([a-d][1-4]): ?((?:[BW][xbro]{2} ?)+)")
_HOLDS = re.compile(r"([BW]) holds ([A-Z,]+)")
_TENDERS = re.compile(r"([BW]) tenders ([A-Z,]+)")
_REFUSED = re.compile(r"refused ([A-Z, ]+)")
_TO_MOVE = re.compile(r"([BW]) to move")


def write(position: State) -> str:
    """Write the position as text; a drawn game has no seat to act."""
    parts = [stack_text(position, square) for square in SQUARES if position.stacks[square]]
    for seat, held in enumerate(position.prisoners):
        if held:
            parts.append(f"{OWNERS[seat]} holds {types_text(held)}")
    if position.tender:
        parts.append(f"{OWNERS[1 - position.turn]} tenders {types_text(position.tender)}")
    if position.refused:
        parts.append("refused " + " ".join(map(types_text, position.refused)))
    if position.openings:
        parts.append("opening")
    if not position.end:
        parts.append(f"{OWNERS[position.turn]} to move")
    for seat, hand in enumerate(position.hands):
        if "?" in hand:
            parts.append(f"{OWNERS[seat]} hand {len(hand)}")
    return "; ".join(parts)


def stack_text(position: State, square: int) -> str:
    """Write one stack from the bottom up: `a1: Bxx Wxx Wrr`."""
    pieces = " ".join(OWNERS[OWNER[piece]] + FACES[piece] for piece in position.stacks[square])
    return f"{NAMES[square]}: {pieces}"


def read(kind: type[S], text: str) -> S:
    """Parse a position text into this class; a player who cannot act passes at once.

    Raises ValueError if the text is invalid or has more pieces than exist.
    """
    parts = _Parts(text)
    hands = tuple(_hand(parts, seat) for seat in (0, 1))
    stacks = tuple(stack and stack[:-1] + SHOWN[stack[-1]] for stack in parts.stacks)
    held = tuple(parts.prisoners)
    if parts.turn is None:
        seat, end = _winner(stacks, held)
        return kind(stacks, hands, held, seat, end=end)
    openings = (1 if any(stacks) else 2) if parts.opening else 0
    position = kind(stacks, hands, held, parts.turn, parts.tender, tuple(parts.refused), openings)
    if position.refused and not position.tender and not can_do_something(position, parts.turn):
        return passed(position, parts.turn)
    if position.tender or position.refused or position.openings:
        return position
    return settled(position, stacks, hands, held, 1 - parts.turn, 0, "")


class _Parts:
    """The parts of a position text, read one by one."""

    def __init__(self, text: str) -> None:
        self.stacks = [""] * len(NAMES)
        self.prisoners = ["", ""]
        self.tender = ""
        self.refused: list[str] = []
        self.opening = False
        self.turn: int | None = None
        for part in text.split(";"):
            if not self._read(" ".join(part.split())):
                raise ValueError(_("{part} is not part of a position of Plateau.").format(part=quoted(part)))

    def _read(self, part: str) -> bool:
        if match := _STACK.fullmatch(part):
            self.stacks[NUMBER[match[1]]] = _pieces(match[2])
        elif match := _HOLDS.fullmatch(part):
            self.prisoners[OWNERS.index(match[1])] = digits_of(match[2])
        elif match := _TENDERS.fullmatch(part):
            self.tender = digits_of(match[2])
        elif match := _REFUSED.fullmatch(part):
            self.refused = [digits_of(types) for types in match[1].split()]
        elif match := _TO_MOVE.fullmatch(part):
            self.turn = OWNERS.index(match[1])
        elif part == "opening":
            self.opening = True
        else:
            return False
        return True


def digits_of(types: str) -> str:
    """Parse types into sorted digits; raise ValueError for an unknown type."""
    names = types.split(",")
    if not set(names) <= set(TYPES):
        raise ValueError(_("{types} is not a list of types.").format(types=types))
    return "".join(sorted(str(TYPES.index(name)) for name in names))


def _pieces(text: str) -> str:
    named = [(OWNERS.index(piece[0]), piece[1:]) for piece in text.split()]
    for _seat, faces in named:
        if faces not in TYPE_OF:
            raise ValueError(_("No piece has the faces {faces}.").format(faces=faces))
    return "".join(SIGN[seat, faces, SECRET] for seat, faces in named)


def _hand(parts: _Parts, seat: int) -> str:
    on_board = "".join(TYPE[piece] for stack in parts.stacks for piece in stack if OWNER[piece] == seat)
    gone = on_board + parts.prisoners[1 - seat]
    if not is_part_of(gone, TWELVE):
        sentence = _("{who} has more pieces of a type than there are: {types}.")
        raise ValueError(sentence.format(who=_(SEATS[seat]), types=types_text("".join(sorted(gone)))))
    return minus(TWELVE, gone)


def _winner(stacks: tuple[str, ...], prisoners: tuple[str, ...]) -> tuple[int, str]:
    for seat in (0, 1):
        if any(longest_unit(stack, seat) >= SIX for stack in stacks):
            return seat, STACK
        if len(prisoners[seat]) >= SIX:
            return seat, PRISONERS
    raise ValueError(_("The text does not say who is to move, and nobody has won."))
