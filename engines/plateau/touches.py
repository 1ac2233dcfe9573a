"""Moves of Plateau as touches on the picture, in the order in which a person clicks.

For a new piece: its type in the hand, its up face if there are two, the square, and the depth in the stack if there are
several. For a movement: the start square, `~` to flip first, the last square or `x` to capture in place, then the
number carried on from each square if there is a choice. For an exchange: prisoners, cheapest first, then `done`.
"""

from __future__ import annotations

from functools import lru_cache

from engines.plateau.board import NAMES, places
from engines.plateau.moves import MOVE, ONBOARD, OPEN, PAY, TENDER, Move, legal_moves
from engines.plateau.pieces import FACES, OWNER, TYPE_OF, TYPES, top_unit
from engines.plateau.state import State
from engines.scene import Choice
from engines.wording import N_, _, ngettext

FLIP, STOMP, DONE = "~", "x", "done"
"""Tokens of choices outside the board: flip first, capture in place, selection complete."""

UP = {"x": N_("blank up"), "b": N_("blue up"), "r": N_("red up"), "o": N_("orange up")}
"""Labels for the orientation of a piece, by its up face."""

_LABELS = {
    FLIP: N_("turn the top piece over first"),
    STOMP: N_("capture in place"),
    DONE: N_("these prisoners"),
    "refuse": N_("refuse the exchange"),
    "pass": N_("pass"),
}


def touches(position: State, seat: int, move: Move) -> tuple[str, ...]:
    """Return the touches of a legal move."""
    if move.kind == MOVE:
        return _movement(position, seat, move)
    if move.kind == OPEN:
        return (*_from_hand(move.pieces[:2]), *_from_hand(move.pieces[2:]), NAMES[move.square])
    if move.kind == ONBOARD:
        several = len(places(position.stacks[move.square], seat)) > 1
        at = (f"at:{move.index}",) if several else ()
        return (*_from_hand(move.pieces), NAMES[move.square], *at)
    if move.kind in (TENDER, PAY):
        return (*(f"prisoner:{TYPES[int(digit)]}" for digit in move.selection), DONE)
    return (move.kind,)


def _from_hand(faces: str) -> tuple[str, ...]:
    token = f"hand:{TYPES[int(TYPE_OF[faces])]}"
    return (token,) if faces[0] == faces[1] else (token, f"up:{faces[0]}")


def _movement(position: State, seat: int, move: Move) -> tuple[str, ...]:
    begun = (NAMES[move.square], FLIP) if move.flip else (NAMES[move.square],)
    if not move.steps:
        return (*begun, STOMP)
    return (*begun, NAMES[move.steps[-1]], *_counts(position, seat, move))


def _counts(position: State, seat: int, move: Move) -> list[str]:
    """Return the counts carried on from each square that offers a choice."""
    path, there, tokens = (move.square, *move.steps), 0, []
    for square, count in zip(path, move.counts, strict=False):
        there += top_unit(position.stacks[square], seat)
        if there > 1:
            tokens.append(f"{NAMES[square]}({count})")
        there = count
    return tokens


def choices(position: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, with its label.

    Empty in a picture for another viewer.
    """
    if position.end or not _sees_all_of(position, position.turn):
        return ()
    return tuple(Choice(token, _label(token)) for token in _choosable(position))


@lru_cache(maxsize=64)  # pages and mail need the same position repeatedly
def _choosable(position: State) -> tuple[str, ...]:
    """Return the tokens that legal moves need besides squares, hand pieces and prisoners."""
    paths = [touches(position, position.turn, move) for move in legal_moves(position, position.turn)]
    tokens = dict.fromkeys(token for path in paths for token in path)
    return tuple(token for token in tokens if token not in NAMES and not token.startswith(("hand:", "prisoner:")))


def _sees_all_of(position: State, seat: int) -> bool:
    """Whether this position shows the seat's own secrets, so its choices reveal nothing more."""
    if "?" in position.hands[seat]:
        return False
    return not any("?" in FACES[piece] for stack in position.stacks for piece in stack if OWNER[piece] == seat)


def _label(token: str) -> str:
    if token in _LABELS:
        return _(_LABELS[token])
    if token.startswith("up:"):
        return _(UP[token[3:]])
    if token.startswith("at:"):
        beneath = int(token[3:])
        if not beneath:
            return _("at the very bottom")
        return ngettext("on {count} piece", "on {count} pieces", beneath).format(count=beneath)
    square, count = token[:2], int(token[3:-1])
    return ngettext("carry {count} piece on from {square}", "carry {count} pieces on from {square}", count).format(
        count=count, square=square
    )
