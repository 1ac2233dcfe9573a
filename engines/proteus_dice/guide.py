"""Notation help with turns that are legal now, by stage and options."""

from __future__ import annotations

from collections.abc import Iterator

from engines.base import GuideLine, Seat
from engines.proteus_dice import street
from engines.proteus_dice.choices import first_double, first_turns, legal_moves
from engines.proteus_dice.dice import EMPTY, NAMES
from engines.proteus_dice.moves import NOWHERE, Move, Placing, Roll, Throw
from engines.proteus_dice.state import State
from engines.proteus_dice.words import piece
from engines.proteus_dice.writing import canonical
from engines.wording import _

LOOKED_AT = 2_000
"""Maximum number of turns searched for a capture."""


def guide(position: State, seat: Seat) -> Iterator[GuideLine]:
    """Return the lines that explain the notation of this stage."""
    match position.stage:
        case "army" | "setup":
            yield from _buying(position)
        case "place":
            yield from _placing(position, seat)
        case "turn":
            yield from _turning(position, seat)
        case "rotate":
            first = next(legal_moves(position, seat), None)
            if first is not None:
                words = _("turns a die one step, but not the one that was thrown")
                yield GuideLine(canonical(position, first), words)
            yield GuideLine("", _chain(position))


def said(position: State, move: Move) -> str:
    """Describe a random draw in a sentence; "" for other moves."""
    if isinstance(move, Roll):
        first = 0 if move.white > move.black else 1
        sentence = _("Both threw a die: White {white}, Black {black}. So {side} begins.")
        return sentence.format(white=move.white, black=move.black, side=_(position.SEATS[first]))
    if isinstance(move, Throw):
        sentence = _("The die on {square} was thrown, and its upper face is now: {piece}.")
        return sentence.format(square=NAMES[position.square], piece=piece(move.face))
    return ""


def _buying(position: State) -> Iterator[GuideLine]:
    order, value = position.dice_rules.order[1:], position.dice_rules.value
    prices = ", ".join(f"{piece(face)} {face} {value[face]}" for face in order)
    yield GuideLine(
        "",
        _("You buy eight dice in secret, for {budget} points at most. They cost: {prices}.").format(
            budget=street.BUDGET, prices=prices
        ),
    )
    dearest = street.armies(position.rules.warhorses)[-1]
    if position.stage == "army":
        yield GuideLine(
            "", _("When both have bought, each throws a die: the higher throw places first and moves first.")
        )
        yield GuideLine(f"army {dearest}", _("buys these eight, in any order"))
        return
    first = _(position.SEATS[position.first])
    yield GuideLine("", _("{side} threw more, and makes the first move.").format(side=first))
    yield GuideLine(f"setup {dearest}", _("sets these up from file a to file h, in this order"))


def _placing(position: State, seat: Seat) -> Iterator[GuideLine]:
    first = _(position.SEATS[position.first])
    yield GuideLine("", _("{side} threw more: they place first, and make the first move.").format(side=first))
    move = next((one for one in legal_moves(position, seat) if isinstance(one, Placing)), None)
    if move is not None:
        words = _("puts a die of your hand ({piece}) on a starting square of yours").format(piece=piece(move.face))
        yield GuideLine(canonical(position, move), words)


def _turning(position: State, seat: Seat) -> Iterator[GuideLine]:
    is_to_act = seat in position.to_act
    turns = list(first_turns(position, LOOKED_AT)) if is_to_act else []
    free = {square for square, letter in enumerate(position.board) if letter == EMPTY}
    quiet = next((one for one in turns if one.turned != NOWHERE and one.target in free), None)
    if quiet is not None:
        words = _("a die moves as in chess, the pawn without a letter; after the slash, another die and its new face")
        yield GuideLine(canonical(position, quiet), words)
    capture = next((one for one in turns if one.target not in free), None)
    if capture is not None:
        alone = _("captures; no die is turned with it") if capture.turned == NOWHERE else _("captures, marked by an x")
        yield GuideLine(canonical(position, capture), alone)
    double = first_double(position) if is_to_act else None
    if double is not None:
        yield GuideLine(canonical(position, double), _("turns one die two steps, and that is the whole turn"))
    yield GuideLine("", _chain(position))


def _chain(position: State) -> str:
    """Write the order of the faces under these options."""
    value = position.dice_rules.value
    faces = ", ".join(f"{face} {piece(face)} {value[face]}" for face in position.dice_rules.order)
    chain = _("The faces, in the order in which dice are turned, and their points: {faces}.").format(faces=faces)
    polar = _("Odd dice take only even ones, and even dice odd ones.")
    return f"{chain} {polar}" if position.rules.polarity else chain
