"""Notation help for Plateau, with turns that are legal now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engines.base import GuideLine
from engines.plateau.board import NAMES
from engines.plateau.moves import (
    MOVE,
    ONBOARD,
    OPEN,
    PASS,
    PAY,
    REFUSE,
    TENDER,
    Move,
    legal_moves,
    walk_move,
    walks,
)
from engines.plateau.notation import write
from engines.plateau.pieces import LAYS, TYPES
from engines.plateau.state import State
from engines.wording import _

LOOKED_AT = 3_000
"""Maximum turns searched for one of each kind."""


def guide(position: State, seat: int) -> Iterator[GuideLine]:
    """Explain the faces, the hand in notation, and one legal turn of each kind."""
    found = _one_of_each(position, seat)
    if OPEN in found or "new" in found or "into" in found:
        yield GuideLine(
            "", _("Faces are x (blank), b (blue), r (red) and o (orange); a piece is its up face, then its down face.")
        )
        yield GuideLine("", _("So your hand is written {pieces}.").format(pieces=_as_faces(position.hands[seat])))
    for kind, move in found.items():
        yield GuideLine(write(position, seat, move), _words(position, kind, move))


def _as_faces(hand: str) -> str:
    """Write the possible orientations of each type in a hand: `M = xx, BM = bx, xb`."""
    return "; ".join(f"{TYPES[digit]} = {', '.join(LAYS[digit])}" for digit in map(int, dict.fromkeys(hand)))


def _one_of_each(position: State, seat: int) -> dict[str, Move]:
    found: dict[str, Move] = {}
    for move in islice(legal_moves(position, seat), LOOKED_AT):
        found.setdefault(_kind(position, move), move)
    if MOVE not in found and not position.tender and not position.openings:
        for walk in walks(position.stacks, seat)[:1]:
            found[MOVE] = walk_move(walk)
    return found


def _kind(position: State, move: Move) -> str:
    if move.kind == ONBOARD:
        return "into" if position.stacks[move.square] else "new"
    return move.kind


def _words(position: State, kind: str, move: Move) -> str:
    sentences = {
        OPEN: _("opens on {square} with two pieces of yours, the bottom one first"),
        "new": _("puts a piece of your hand on {square}, which is empty"),
        "into": _("puts a piece of your hand into the stack on {square}; the number says how many lie beneath it"),
        MOVE: _("moves from {square}; the number in brackets says how many pieces are carried on"),
        TENDER: _("offers prisoners for an exchange"),
        PAY: _("pays for what is offered"),
        REFUSE: _("refuses the exchange"),
        PASS: _("passes"),
    }
    return sentences[kind].format(square=NAMES[move.square])
