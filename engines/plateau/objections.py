"""Explain in a sentence why a move is illegal, based only on what the mover sees."""

from __future__ import annotations

from engines.base import Hidden
from engines.plateau.board import NAMES, PATHS, PERIMETER, RAYS, places
from engines.plateau.exchange import least_payment
from engines.plateau.moves import MOVE, ONBOARD, OPEN, PASS, PAY, REFUSE, TENDER, Move, can_act
from engines.plateau.pieces import (
    FACES,
    MARKERS,
    OWNER,
    SEATS,
    TURNED,
    TYPE_OF,
    TYPES,
    is_part_of,
    top_unit,
    types_text,
    value,
)
from engines.plateau.state import State
from engines.wording import N_, _, listing, ngettext

DIRECTIONS = {
    "r": N_("Red up moves straight along a file or rank"),
    "b": N_("Blue up moves along a diagonal"),
    "x": N_("Blank up moves along a file, a rank or a diagonal"),
    "o": N_("Orange up moves one square straight and then one diagonally onward"),
}
"""Phrases for how each up face moves."""

ON_BOARD = range(len(NAMES))
"""The square numbers."""


def objection(position: State, seat: int, move: Move) -> str | None:
    """Explain why the move is illegal, or why that is unknown; None if it is legal."""
    try:
        return against(position, seat, move)
    except Hidden as hidden:
        return str(hidden)


def against(position: State, seat: int, move: Move) -> str | None:
    """Explain why the move is illegal; None if legal. Raises Hidden if hidden faces decide."""
    if seat not in position.to_act:
        return _("It is not your turn.")
    wrong_time = _out_of_time(position, seat, move.kind)
    if wrong_time is not None:
        return wrong_time
    if move.kind == MOVE:
        return _movement(position, seat, move)
    if move.kind in (OPEN, ONBOARD):
        return _new_pieces(position, seat, move)
    return _bargain(position, seat, move)


def _out_of_time(position: State, seat: int, kind: str) -> str | None:
    """Reject a kind of move that is not due: the position requires an answer, opening or turn."""
    if position.tender:
        return None if kind in (PAY, REFUSE) else _answer_first(position, seat)
    if kind in (PAY, REFUSE):
        return _("There is no tender to answer.")
    if position.openings:
        return None if kind == OPEN else _open_first(position)
    if kind == OPEN:
        return _("The opening is over: put one piece on the board at a time.")
    return None if kind in (MOVE, ONBOARD, TENDER, PASS) else _malformed()


def _malformed() -> str:
    return _("That is not a turn of Plateau.")


def _answer_first(position: State, seat: int) -> str:
    sentence = _("{who} tenders {types}: answer with pay and types, or with refuse.")
    return sentence.format(who=_(SEATS[1 - seat]), types=types_text(position.tender))


def _open_first(position: State) -> str:
    free = next(square for square in PERIMETER if not position.stacks[square])
    sentence = _("The first turn puts two pieces on an empty square of the perimeter, as in {example}.")
    return sentence.format(example=f"+{NAMES[free]} xx,rb")


# -- new pieces --------------------------------------------------------------------


def _new_pieces(position: State, seat: int, move: Move) -> str | None:
    square, pieces = move.square, move.pieces
    if (move.flip, move.steps, move.counts, move.selection) != (False, (), (), "") or square not in ON_BOARD:
        return _malformed()
    if len(pieces) != (4 if move.kind == OPEN else 2):
        return _malformed()
    return not_in_hand(position, seat, pieces) or (
        _opening(position, square, move.index) if move.kind == OPEN else _onboarding(position, seat, square, move.index)
    )


def not_in_hand(position: State, seat: int, pieces: str) -> str | None:
    """Explain why these oriented pieces cannot come from the seat's hand. Raises Hidden."""
    digits, hand = "", position.hands[seat]
    if not hand:
        return _("Your hand is empty.")
    if "?" in hand:
        raise Hidden(_("What {who} has in hand is hidden from you.").format(who=_(SEATS[seat])))
    for faces in (pieces[:2], pieces[2:]) if pieces[2:] else (pieces,):
        if faces not in TYPE_OF:
            return _("No piece has the faces {faces}; there are {all}.").format(
                faces=faces, all=listing(tuple(TYPE_OF), _("and"))
            )
        digits += TYPE_OF[faces]
    if is_part_of(digits, hand):
        return None
    missing = next(digit for digit in digits if not is_part_of(digits.count(digit) * digit, hand))
    if missing in hand:
        return _("You have only one {type} in your hand.").format(type=TYPES[int(missing)])
    return _("You have no {type} in your hand.").format(type=TYPES[int(missing)])


def _opening(position: State, square: int, index: int) -> str | None:
    if index:
        return _malformed()
    if square not in PERIMETER:
        return _("{square} is not on the perimeter, where the game is opened: files a and d, ranks 1 and 4.").format(
            square=NAMES[square]
        )
    if position.stacks[square]:
        return _("{square} is taken; the opening needs an empty square.").format(square=NAMES[square])
    return None


def _onboarding(position: State, seat: int, square: int, index: int) -> str | None:
    stack, name = position.stacks[square], NAMES[square]
    free = places(stack, seat)
    if index in free:
        return None
    if index < 0 or index > len(stack):
        return ngettext(
            "There is {count} piece on {square}, so the number after the slash is at most {count}.",
            "There are {count} pieces on {square}, so the number after the slash is at most {count}.",
            len(stack),
        ).format(count=len(stack), square=name)
    if not free:
        return _("None of your pieces lies on {square}, and a new piece must touch one of yours.").format(square=name)
    return _("At {place} the new piece would touch none of yours; you can choose {free}.").format(
        place=f"{name}/{index}", free=listing([f"{name}/{i}" for i in free])
    )


# -- movements ---------------------------------------------------------------------


def _movement(position: State, seat: int, move: Move) -> str | None:
    square, steps, counts = move.square, move.steps, move.counts
    if (move.pieces, move.index, move.selection) != ("", 0, "") or len(steps) != len(counts):
        return _malformed()
    return (
        not_controlled(position, seat, square, move.flip)
        or (_path(position, seat, move) if steps else _stomp(position, seat, move))
        or _counting(position, seat, move)
        or _landing(position, seat, move)
    )


def not_controlled(position: State, seat: int, square: int, flip: bool) -> str | None:
    """Explain why the seat cannot move from this square, or flip the piece. Raises Hidden."""
    if square not in ON_BOARD:
        return _malformed()
    stack, name = position.stacks[square], NAMES[square]
    if not stack:
        return _("There is nothing on {square}.").format(square=name)
    if OWNER[stack[-1]] != seat:
        return _("{square} is {who}'s: the top piece there is not yours.").format(square=name, who=_(SEATS[1 - seat]))
    if "?" in FACES[stack[-1]][: 1 + flip]:
        raise Hidden(_("The faces of the top piece on {square} are hidden from you.").format(square=name))
    if flip and stack[-1] not in TURNED:
        return _("The top piece on {square} has two equal faces, so it cannot be turned over.").format(square=name)
    return None


def top_face(position: State, move_square: int, flip: bool) -> str:
    """Return the up face of a movement from this square, after a flip if requested."""
    return FACES[position.stacks[move_square][-1]][flip]


def _stomp(position: State, seat: int, move: Move) -> str | None:
    stack, name = position.stacks[move.square], NAMES[move.square]
    if top_face(position, move.square, move.flip) == "x":
        return _("With blank up the pieces on {square} capture nothing.").format(square=name)
    if top_unit(stack, seat) == len(stack):
        return _("There is no enemy piece under yours on {square} to capture.").format(square=name)
    return None


def _path(position: State, seat: int, move: Move) -> str | None:
    face = top_face(position, move.square, move.flip)
    path = PATHS[face][move.square].get(move.steps[-1])
    if path is None:
        return unreachable(position, seat, move)
    if path != move.steps:
        return _("These squares do not form a path for the piece on {square}.").format(square=NAMES[move.square])
    size = top_unit(position.stacks[move.square], seat)
    if face != "o" and len(path) > size:
        return ngettext(
            "With {count} piece on top {square} moves at most one square; {last} is {far} away.",
            "With {count} pieces on top {square} moves at most {count} squares; {last} is {far} away.",
            size,
        ).format(square=NAMES[move.square], count=size, last=NAMES[path[-1]], far=len(path))
    return None


def unreachable(position: State, seat: int, move: Move) -> str:
    """Explain that the up face cannot reach the last square."""
    face = top_face(position, move.square, move.flip)
    near = top_unit(position.stacks[move.square], seat) if face != "o" else 2
    ends = sorted({NAMES[s] for path in RAYS[face][move.square] for s in path[face == "o" :][:near]})
    names = {"square": NAMES[move.square], "ends": listing(ends), "rule": _(DIRECTIONS[face])}
    last = move.steps[-1] if move.steps else -1
    if last not in ON_BOARD or last == move.square:
        return _("{rule}: from {square} to {ends}.").format(**names)
    return _("{rule}: from {square} to {ends}, not to {last}.").format(**names, last=NAMES[last])


def _counting(position: State, seat: int, move: Move) -> str | None:
    """Check the counts: no more than present, and a marker on top of pieces left on an enemy."""
    unit = ""
    for square, count in zip((move.square, *move.steps), move.counts, strict=False):
        stack = position.stacks[square]
        own = top_unit(stack, seat)
        pinning = stack and not own
        unit = stack[len(stack) - own :] + unit
        if not 1 <= count <= len(unit):
            return _miscounted(square, len(unit), count)
        stays = unit[-count - 1] if pinning and count < len(unit) else ""
        if stays and FACES[stays] == "??":
            sentence = _("The faces of the piece that would stay on {square} are hidden from you.")
            raise Hidden(sentence.format(square=NAMES[square]))
        if stays and stays not in MARKERS:
            return _("What stays on {square} would have a blank on top, and a blank starts no pin.").format(
                square=NAMES[square]
            )
        unit = unit[-count:]
    return None


def _miscounted(square: int, most: int, count: int) -> str:
    return ngettext(
        "From {square} only {most} piece can travel on, not {count}.",
        "From {square} 1 to {most} pieces can travel on, not {count}.",
        most,
    ).format(square=NAMES[square], most=most, count=count)


def _landing(position: State, seat: int, move: Move) -> str | None:
    if not move.steps or top_face(position, move.square, move.flip) != "x":
        return None
    stack = position.stacks[move.steps[-1]]
    if not stack or OWNER[stack[-1]] == seat:
        return None
    return _("With blank up the pieces from {square} cannot land on the enemy's stack on {last}.").format(
        square=NAMES[move.square], last=NAMES[move.steps[-1]]
    )


# -- exchanges and passes ----------------------------------------------------------


def _bargain(position: State, seat: int, move: Move) -> str | None:
    if move != Move(move.kind, selection=move.selection):
        return _malformed()
    if move.kind in (REFUSE, PASS):
        return _malformed() if move.selection else _declining(position, seat, move.kind)
    wrong = _not_held(position, seat, move.selection)
    if wrong is not None:
        return wrong
    if move.kind == PAY:
        return _too_little(position, seat, move.selection)
    if not position.prisoners[1 - seat]:
        return _("{who} holds no prisoners, so there is nothing to exchange.").format(who=_(SEATS[1 - seat]))
    if move.selection in position.refused:
        return _("{types} was refused in this turn; tender something else, or make a move.").format(
            types=types_text(move.selection)
        )
    return None


def _not_held(position: State, seat: int, chosen: str) -> str | None:
    mine = position.prisoners[seat]
    if not mine:
        return _("You hold no prisoners.")
    if not chosen or chosen != "".join(sorted(chosen)) or not set(chosen) <= set("0123456"):
        return _malformed()
    if not is_part_of(chosen, mine):
        return _("Your prisoners are {mine}; {types} is not among them.").format(
            mine=types_text(mine), types=types_text(chosen)
        )
    return None


def _too_little(position: State, seat: int, paid: str) -> str | None:
    least = least_payment(position.tender, position.prisoners[seat])
    if value(paid) >= least:
        return None
    return _("{types} is worth {worth}; for {tender} you must pay at least {least}.").format(
        types=types_text(paid), worth=value(paid), tender=types_text(position.tender), least=least
    )


def _declining(position: State, seat: int, kind: str) -> str | None:
    if kind == REFUSE:
        least = least_payment(position.tender, position.prisoners[seat])
        return _("You cannot refuse: you must pay at least {least}.").format(least=least) if least else None
    if can_act(position.stacks, position.hands[seat], seat):
        return _("You cannot pass while you can put a piece on the board or move.")
    return None
