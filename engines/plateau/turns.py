"""Carry out moves: place, carry and capture pieces, exchange, pass, end the game.

Nothing here checks a move; `objections` does. Functions that lift a piece take a table of signs for pieces whose up
face is shown: `SHOWN` to play the move, `FRESH` to describe what it revealed.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import Hidden
from engines.plateau.exchange import tenders
from engines.plateau.moves import MOVE, ONBOARD, OPEN, PAY, REFUSE, TENDER, Move, can_act
from engines.plateau.pieces import (
    MARKERS,
    OWNER,
    SECRET,
    SHOWN,
    SIGN,
    TURNED,
    TYPE,
    TYPE_OF,
    UP_KNOWN,
    longest_unit,
    minus,
    top_unit,
)
from engines.plateau.state import PASSES, PRISONERS, QUIET, STACK, S, State

SIX = 6
"""The winning number of pieces in one unit, or of prisoners."""

QUIET_TURNS = 200
"""Consecutive turns without a capture or onboarding after which the game is a draw."""


def after(position: S, seat: int, move: Move) -> S:
    """Return the position after a legal move and forced passes.

    Raises Hidden if it depends on hidden information.
    """
    kind = move.kind
    if kind == MOVE:
        return _moved(position, seat, move)
    if kind in (ONBOARD, OPEN):
        return _onboarded(position, seat, move)
    if kind == TENDER:
        return position.with_turn(1 - seat, move.selection, position.refused)
    if kind == PAY:
        return _paid(position, seat, move.selection)
    if kind == REFUSE:
        offered = position.with_turn(1 - seat, "", (*position.refused, position.tender))
        return offered if can_do_something(offered, 1 - seat) else passed(offered, 1 - seat)
    return passed(position, seat)


def apply_onboarding(stacks: list[str], seat: int, move: Move, shown: Mapping[str, str]) -> None:
    """Put the new pieces on the board (R1, R2)."""
    square, pieces, index = move.square, move.pieces, move.index
    if move.kind == OPEN:
        stacks[square] = SIGN[seat, pieces[:2], SECRET] + SIGN[seat, pieces[2:], UP_KNOWN]
        return
    stack = stacks[square]
    beneath, above = stack[:index], stack[index:]
    if above and beneath:
        beneath = _uncovered(beneath, shown)
    stacks[square] = beneath + SIGN[seat, pieces, UP_KNOWN] + above


def apply_movement(stacks: list[str], seat: int, move: Move, shown: Mapping[str, str]) -> str:
    """Make a movement on the board and return the captured pieces, top one first (R3–R5)."""
    stack, last = stacks[move.square], move.square
    if move.flip:
        stack = _uncovered(stack[:-1], shown) + TURNED[stack[-1]]
    stacks[last] = stack
    group = ""
    for square, count in zip(move.steps, move.counts, strict=True):
        pile = stacks[last] + group
        stacks[last], group = _uncovered(pile[:-count], shown), pile[-count:]
        last = square
    stacks[last], taken = _resolved(stacks[last] + group, seat, shown)
    return taken


def _uncovered(stack: str, shown: Mapping[str, str]) -> str:
    return stack[:-1] + shown[stack[-1]] if stack else ""


def _resolved(stack: str, seat: int, shown: Mapping[str, str]) -> tuple[str, str]:
    """Return the stack after its top unit's captures, and the captured pieces, top one first."""
    most = top_unit(stack, seat)
    if most == len(stack) or stack[-1] not in MARKERS:
        return stack, ""
    kept, taken, lifted = stack[-most:], "", False
    for piece in reversed(stack[:-most]):
        if lifted:
            piece = shown[piece]
        lifted = OWNER[piece] != seat and len(taken) < most
        if lifted:
            taken += piece
        else:
            kept = piece + kept
    return kept, taken


def _moved(position: S, seat: int, move: Move) -> S:
    stacks = list(position.stacks)
    taken = apply_movement(stacks, seat, move, SHOWN)
    prisoners, idle = position.prisoners, position.idle + 1
    if taken:
        held = "".join(sorted(prisoners[seat] + "".join(TYPE[piece] for piece in taken)))
        prisoners, idle = _changed(prisoners, seat, held), 0
    end = ""
    if _six(stacks, (move.square, *move.steps), seat):
        end = STACK
    elif taken and len(prisoners[seat]) >= SIX:
        end = PRISONERS
    return settled(position, tuple(stacks), position.hands, prisoners, seat, idle, end)


def _onboarded(position: S, seat: int, move: Move) -> S:
    if "?" in position.hands[seat]:
        raise Hidden()
    stacks = list(position.stacks)
    apply_onboarding(stacks, seat, move, SHOWN)
    used = TYPE_OF[move.pieces[:2]] + (TYPE_OF[move.pieces[2:]] if move.kind == OPEN else "")
    hands = _changed(position.hands, seat, minus(position.hands[seat], used))
    end = STACK if _six(stacks, (move.square,), seat) else ""
    return settled(position, tuple(stacks), hands, position.prisoners, seat, 0, end)


def _paid(position: S, seat: int, paid: str) -> S:
    """Complete an exchange, which counts as the turn of the tendering seat.

    The exchanged disks go to the hands, where nobody else knows them (R6).
    """
    tendered, other = position.tender, 1 - seat
    held, hands = position.prisoners, position.hands
    held = _changed(_changed(held, seat, minus(held[seat], paid)), other, minus(held[other], tendered))
    hands = _changed(hands, seat, _joined(hands[seat], tendered))
    hands = _changed(hands, other, _joined(hands[other], paid))
    return settled(position, position.stacks, hands, held, other, position.idle + 1, "")


def _joined(hand: str, digits: str) -> str:
    """Add pieces to a hand; an unseen hand stays unseen."""
    return hand + "?" * len(digits) if "?" in hand else "".join(sorted(hand + digits))


def passed(position: S, seat: int) -> S:
    """Return the position after a pass of the seat, chosen or forced."""
    stacks, hands, held = position.stacks, position.hands, position.prisoners
    return settled(position, stacks, hands, held, seat, position.idle + 1, "", position.passes + 1)


def _changed(both: tuple[str, ...], seat: int, new: str) -> tuple[str, ...]:
    return (new, both[1]) if seat == 0 else (both[0], new)


def _six(stacks: list[str], squares: tuple[int, ...], seat: int) -> bool:
    """Whether the seat has a unit of six on one of these squares."""
    for square in squares:
        if len(stacks[square]) >= SIX and longest_unit(stacks[square], seat) >= SIX:
            return True
    return False


def settled(
    before: S,
    stacks: tuple[str, ...],
    hands: tuple[str, ...],
    prisoners: tuple[str, ...],
    seat: int,
    idle: int,
    end: str,
    passes: int = 0,
) -> S:
    """Finish a seat's turn: choose the next seat, take forced passes, detect draws."""
    openings = max(before.openings - 1, 0)
    turn = seat
    while not (end := end or _drawn(passes, idle)):
        turn = 1 - turn
        if openings or can_act(stacks, hands[turn], turn) or (prisoners[0] and prisoners[1]):
            break
        passes, idle = passes + 1, idle + 1
    return type(before)(stacks, hands, prisoners, turn, "", (), openings, passes, idle, end)


def _drawn(passes: int, idle: int) -> str:
    if passes >= 2:
        return PASSES
    return QUIET if idle >= QUIET_TURNS else ""


def can_do_something(position: State, seat: int) -> bool:
    """Whether the seat has any turn at all. Raises Hidden."""
    if can_act(position.stacks, position.hands[seat], seat):
        return True
    return bool(position.prisoners[1 - seat]) and _another_tender(position, seat)


def _another_tender(position: State, seat: int) -> bool:
    return bool(tenders(position.prisoners[seat], position.prisoners[1 - seat], position.refused))
