"""Explain in a sentence why a move is illegal."""

from __future__ import annotations

from engines.base import Seat
from engines.proteus_dice import street
from engines.proteus_dice.dice import (
    BOTH_HOMES,
    EMPTY,
    FORWARD,
    HOME_MASKS,
    HOMES,
    KNIGHT_MOVES,
    NAMES,
    PAWN_ATTACKS,
    RAYS,
    SIDES,
)
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.state import State
from engines.proteus_dice.words import on_square, piece
from engines.wording import N_, _, listing, ngettext

DUE = {
    "army": N_("Each player chooses an army of eight dice now, in secret."),
    "setup": N_("Each player sets up eight dice on the files a to h now, in secret."),
    "roll": N_("The dice for the first move are to be thrown now."),
    "place": N_("The players place their dice in turn now: a die, “@” and a starting square."),
    "turn": N_("A turn is due now: one die moves and another is turned one step."),
    "throw": N_("The die on {square} is to be thrown now."),
    "rotate": N_("The die on {square} was thrown; another die is to be turned now, one step."),
    "over": N_("The game is over."),
}
"""Sentences on the action due at each stage."""


def due(position: State) -> str:
    """Say in a sentence which action is due."""
    return _(DUE[position.stage]).format(square=NAMES[position.square])


def against(position: State, seat: Seat, move: Move) -> str | None:
    """Explain why `seat` may not make this move; None if it is legal."""
    if seat not in position.to_act:
        return _("It is not your turn.")
    stage = position.stage
    if isinstance(move, Turn):
        if stage == "turn":
            return _against_turn(position, move)
        return _against_rotation_alone(position, move) if stage == "rotate" else due(position)
    if isinstance(move, Throw):
        is_legal = stage == "throw" and move.face and move.face in position.dice_rules.order and len(move.face) == 1
        return None if is_legal else due(position)
    if isinstance(move, Roll):
        return None if stage == "roll" and move in street.ROLLS else due(position)
    return _against_street(position, seat, move)


# -- turns -----------------------------------------------------------------------------


def _against_turn(position: State, move: Turn) -> str | None:
    if move.origin == NOWHERE and move.target == NOWHERE:
        return against_double(position, move.turned, move.face)
    if not (0 <= move.origin < 64 and 0 <= move.target < 64):
        return _("There is no such square.")
    if (sentence := against_moving(position, move.origin, move.target)) is not None:
        return sentence
    follows = position.follows(move.origin, move.target)
    if follows == "rotation":
        return against_turning(position, move.origin, move.target, move.turned, move.face)
    if move.turned == NOWHERE and not move.face:
        return None
    return too_much(position, move.target, follows)


def too_much(position: State, target: int, follows: str) -> str:
    """Explain why a move that ends the game or is followed by a throw allows no rotation."""
    if follows == "end":
        return _("This move ends the game, so no die is turned: write the move alone.")
    return _(
        "The die that captures on {square} is thrown before you turn another one: write the move alone, "
        "and turn a die when you know the throw."
    ).format(square=NAMES[target])


def _against_rotation_alone(position: State, move: Turn) -> str | None:
    if move.origin != NOWHERE or move.target != NOWHERE:
        return due(position)
    return against_turning(position, NOWHERE, position.square, move.turned, move.face)


def against_double(position: State, square: int, face: str) -> str | None:
    """Explain why the die on `square` may not be turned two steps to `face`; None if it may."""
    if not position.rules.trade_off:
        return _("A double rotation is possible under the Trade-Off rule only, which this game does not use.")
    if (sentence := _against_own(position, square)) is not None:
        return sentence
    faces = position.dice_rules.two_step[position.board[square]]
    if len(face) == 1 and face in faces:
        return None
    return _("A double rotation turns the {die} two steps: to a {faces}.").format(
        die=on_square(position.board[square], square), faces=listing([piece(one) for one in faces])
    )


def against_turning(position: State, origin: int, target: int, square: int, face: str) -> str | None:
    """Explain why the die on `square` may not be turned to `face` after a move; None if it may."""
    if square == NOWHERE:
        return _("Another die must be turned one step as well.")
    if square in (origin, target):
        return _("The die that moved cannot be turned in the same turn: choose another.")
    if (sentence := _against_own(position, square)) is not None:
        return sentence
    faces = position.dice_rules.one_step[position.board[square]]
    if len(face) == 1 and face in faces:
        return None
    return _("The {die} is turned one step only: to a {faces}.").format(
        die=on_square(position.board[square], square), faces=listing([piece(one) for one in faces])
    )


def _against_own(position: State, square: int) -> str | None:
    if not 0 <= square < 64:
        return _("There is no such square.")
    letter = position.board[square]
    if letter == EMPTY:
        return _("There is no die on {square}.").format(square=NAMES[square])
    if letter not in SIDES[position.turn]:
        return _("The {die} is not yours.").format(die=on_square(letter, square))
    return None


# -- moving one die --------------------------------------------------------------------


def against_moving(position: State, origin: int, target: int) -> str | None:
    """Explain why the die on `origin` may not move to `target`; None if it may."""
    if (sentence := _against_own(position, origin)) is not None:
        return sentence
    if target in position.targets(origin):
        return None
    letter, there = position.board[origin], position.board[target]
    if letter in "Yy":
        return _("The {die} cannot move; it can only be turned.").format(die=on_square(letter, origin))
    if origin == target:
        return _("The {die} must move to another square.").format(die=on_square(letter, origin))
    if letter in "Pp":
        return _against_pawn(position, origin, target)
    return _against_path(position, origin, target) or _against_taking(position, letter, there, target)


def _against_path(position: State, origin: int, target: int) -> str | None:
    letter = position.board[origin]
    if letter in "Nn":
        return None if target in KNIGHT_MOVES[origin] else _unreachable(letter, origin, target)
    ray = next((ray for ray in RAYS[letter][origin] if target in ray), None)
    if ray is None:
        return _unreachable(letter, origin, target)
    for square in ray[: ray.index(target)]:
        if position.board[square] != EMPTY:
            return _blocked(position, square, origin, target)
    return None


def _unreachable(letter: str, origin: int, target: int) -> str:
    return _("The {die} cannot go to {square}: no {piece} moves like that.").format(
        die=on_square(letter, origin), square=NAMES[target], piece=piece(letter)
    )


def _blocked(position: State, square: int, origin: int, target: int) -> str:
    return _("The {blocker} is in the way of the {die}.").format(
        blocker=on_square(position.board[square], square), die=on_square(position.board[origin], origin)
    )


def _against_taking(position: State, letter: str, there: str, target: int) -> str:
    if there in SIDES[position.turn]:
        return _("Your own {die} stands there.").format(die=on_square(there, target))
    if there in "Yy":
        return _("A pyramid cannot be captured: the one on {square} just blocks.").format(square=NAMES[target])
    value = position.dice_rules.value
    return _(
        "Polarity: odd dice take even ones only, and even ones odd ones; "
        "a {piece} ({value}) cannot take the {die} ({worth})."
    ).format(piece=piece(letter), value=value[letter], die=on_square(there, target), worth=value[there])


def _against_pawn(position: State, origin: int, target: int) -> str:
    seat, board = position.turn, position.board
    ahead = origin + FORWARD[seat]
    if target in PAWN_ATTACKS[seat][origin]:
        if board[target] == EMPTY:
            return _("A pawn goes diagonally only to capture, and {square} is empty.").format(square=NAMES[target])
        return _against_taking(position, board[origin], board[target], target)
    if target not in (ahead, ahead + FORWARD[seat]):
        return _unreachable(board[origin], origin, target)
    if board[ahead] != EMPTY:
        return _blocked(position, ahead, origin, target)
    if not position.doubling & HOME_MASKS[seat] & (1 << origin):
        return _against_double_step(position, origin)
    return _blocked(position, target, origin, target)


def _against_double_step(position: State, origin: int) -> str:
    if BOTH_HOMES & HOME_MASKS[position.turn] & (1 << origin):
        return _("The die on {square} has moved before, so it steps one square only as a pawn.").format(
            square=NAMES[origin]
        )
    return _("A pawn steps two squares only from its side's starting squares, and {square} is not one.").format(
        square=NAMES[origin]
    )


# -- before play begins ----------------------------------------------------------------


def _against_street(position: State, seat: Seat, move: Army | Setup | Placing) -> str | None:
    stage, warhorses = position.stage, position.rules.warhorses
    if isinstance(move, Army) and stage == "army":
        if (sentence := against_buying(move.faces, warhorses)) is not None:
            return sentence
        if move.faces not in street.armies(warhorses):
            return _("An army is written with its most expensive die first.")
        return None
    if isinstance(move, Setup) and stage == "setup":
        return against_buying(move.faces, warhorses)
    if isinstance(move, Placing) and stage == "place":
        return against_placing(position, seat, move)
    return due(position)


def against_buying(faces: str, warhorses: bool) -> str | None:
    """Explain why these dice cannot be bought together; None if they can."""
    if "Y" in faces:
        return _("A pyramid cannot be bought; the dice on sale are {pieces}.").format(pieces=_on_sale(warhorses))
    if (strange := next((face for face in faces if face not in "PBNRQ"), None)) is not None:
        return _("There is no {letter} among the dice on sale; they are {pieces}.").format(
            letter=strange, pieces=_on_sale(warhorses)
        )
    if len(faces) != 8:
        return ngettext(
            "You must buy exactly eight dice; this is {count}.",
            "You must buy exactly eight dice; these are {count}.",
            len(faces),
        ).format(count=len(faces))
    price = street.price(faces, warhorses)
    if price > street.BUDGET:
        return _("These dice cost {price}, and there are only {budget} to spend.").format(
            price=price, budget=street.BUDGET
        )
    return None


def _on_sale(warhorses: bool) -> str:
    order = "PNBRQ" if warhorses else "PBNRQ"
    return listing(
        [
            _("{letter} ({piece}, {price})").format(letter=face, piece=piece(face), price=price)
            for price, face in enumerate(order, 2)
        ],
        _("and"),
    )


def against_placing(position: State, seat: Seat, move: Placing) -> str | None:
    """Explain why this die cannot be placed there; None if it can."""
    hand = position.hands[seat]
    if "?" in hand:
        return _("What {who} has in hand is hidden from you.").format(who=_(position.SEATS[seat]))
    if len(move.face) != 1 or move.face not in hand:
        return _("You have no such die left to place; you have {dice}.").format(dice=" ".join(hand))
    if move.square not in HOMES[seat]:
        return _("Dice are placed on your starting squares: {squares}.").format(
            squares=listing([NAMES[square] for square in HOMES[seat]], _("and"))
        )
    if position.board[move.square] != EMPTY:
        return _("There is a die on {square} already.").format(square=NAMES[move.square])
    return None
