"""Draw a position of Plateau, and describe it in sentences for screen readers."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from engines.plateau.board import NAMES, NUMBER, SQUARES
from engines.plateau.pieces import FACES, LAYS, OWNER, OWNERS, SEATS, TYPES, types_text
from engines.plateau.position_text import stack_text
from engines.plateau.state import State
from engines.plateau.touches import UP, choices
from engines.scene import Cell, Choice, Piece, Scene, Tray, TrayItem
from engines.wording import N_, _, listing, ngettext

FILES, RANKS = ("a", "b", "c", "d"), ("4", "3", "2", "1")
NOTED = 100
"""Number of quiet turns from which the picture shows their count."""

TYPE_NAMES = (
    N_("Mute"),
    N_("Blue"),
    N_("Red"),
    N_("Blue Mask"),
    N_("Red Mask"),
    N_("Twister"),
    N_("Ace"),
)
"""Names of the types, in order of value."""

_SHOWN_IN_CELL = 4
_LINE = 70


def draw(position: State) -> Scene:
    """Draw everything in this position, and nothing else."""
    return Scene(
        title=_title(position),
        summary=_summary(position),
        files=FILES,
        ranks=RANKS,
        rows=tuple(tuple(_cell(position, file + rank) for file in FILES) for rank in RANKS),
        trays=(*(_hand(position, seat) for seat in (0, 1)), *(_prisoners(position, seat) for seat in (0, 1))),
        notes=_notes(position),
        spoken_notes=tuple(_moment_notes(position)),
        choices=tuple(_with_disk(position, choice) for choice in choices(position)),
    )


def _title(position: State) -> str:
    return _("Plateau: {moment}").format(moment=_moment(position))


def _moment(position: State) -> str:
    outcome = position.outcome
    if outcome is None:
        sentence = _("{who} to answer a tender") if position.tender else _("{who} to move")
        return sentence.format(who=_(SEATS[position.turn]))
    if not outcome.winners:
        return _("a draw by {reason}").format(reason=_(outcome.reason))
    return _("{who} wins by {reason}").format(who=_(SEATS[outcome.winners[0]]), reason=_(outcome.reason))


# -- the board ---------------------------------------------------------------------


def _cell(position: State, name: str) -> Cell:
    stack = position.stacks[NUMBER[name]]
    pieces = tuple(_piece(sign) for sign in stack)
    dark = (ord(name[0]) + int(name[1])) % 2 == 0
    return Cell(name, _cell_text(pieces), pieces, tint="dark" if dark else "light")


def _cell_text(pieces: tuple[Piece, ...]) -> str:
    """Write the pieces from the top down, such as `WrrBx?`.

    For a tall stack, write only the top ones and the number beneath.
    """
    if not pieces:
        return "."
    shown = _SHOWN_IN_CELL if len(pieces) < _SHOWN_IN_CELL + 10 else _SHOWN_IN_CELL - 1
    text = "".join(piece.text for piece in pieces[::-1][:shown])
    return text if len(pieces) <= shown else f"{text}+{len(pieces) - shown}"


def _piece(sign: str) -> Piece:
    seat, faces = OWNER[sign], FACES[sign]
    return Piece(OWNERS[seat] + faces, _piece_name(seat, faces), "disk", faces[0], seat, under=faces[1])


def _with_disk(position: State, choice: Choice) -> Choice:
    """Show the deepest piece in the label of a choice of carried pieces such as `b2(3)`.

    Other labels stay unchanged.
    """
    square, _bracket, count = choice.touch.partition("(")
    if square not in NUMBER or not count:
        return choice
    stack, depth = position.stacks[NUMBER[square]], int(count.removesuffix(")"))
    return replace(choice, piece=_piece(stack[-depth])) if depth <= len(stack) else choice


def _piece_name(seat: int, faces: str) -> str:
    """Name a piece: “White Red Mask, blank up” or “Black piece, unseen”."""
    name = _owned(seat, _kind(faces))
    if faces == "??":
        return _("{piece}, unseen").format(piece=name)
    if faces[0] == faces[1]:
        return name
    return _("{piece}, {side}").format(piece=name, side=_(UP[faces[0]]))


def _kind(faces: str) -> str:
    known = [_(TYPE_NAMES[digit]) for digit, lays in enumerate(LAYS) if faces in lays]
    return known[0] if known else _("piece")


def _owned(seat: int, kind: str) -> str:
    sentence = _("White {piece}") if seat else _("Black {piece}")
    return sentence.format(piece=kind)


# -- beside and below the board ----------------------------------------------------


def _hand(position: State, seat: int) -> Tray:
    hand = position.hands[seat]
    label = _("{who}'s hand").format(who=_(SEATS[seat]))
    if "?" in hand:
        note = ngettext("{count} piece, unseen", "{count} pieces, unseen", len(hand)).format(count=len(hand))
        return Tray(label, side=seat, note=note)
    acts = not position.end and not position.tender and position.turn == seat
    return Tray(label, _items(hand, seat, "hand:" if acts else ""), seat, "" if hand else _("empty"))


def _prisoners(position: State, seat: int) -> Tray:
    held = position.prisoners[seat]
    label = _("{who}'s prisoners").format(who=_(SEATS[seat]))
    acts = not position.end and not position.openings and position.turn == seat and position.prisoners[1 - seat]
    return Tray(
        label,
        _items(held, 1 - seat, "prisoner:" if acts or (position.tender and position.turn == seat) else ""),
        seat,
        _("{count} of the six that win").format(count=len(held)),
    )


def _items(digits: str, seat: int, token: str) -> tuple[TrayItem, ...]:
    return tuple(
        TrayItem(_tray_piece(int(digit), seat), digits.count(digit), token and token + TYPES[int(digit)])
        for digit in dict.fromkeys(digits)
    )


def _tray_piece(digit: int, seat: int) -> Piece:
    faces = LAYS[digit][0]
    return Piece(TYPES[digit], _owned(seat, _(TYPE_NAMES[digit])), "disk", faces[0], seat, under=faces[1])


def _notes(position: State) -> tuple[str, ...]:
    stacks = "; ".join(stack_text(position, square) for square in SQUARES if position.stacks[square])
    notes = [_("Stacks from the bottom up, up face before down face:"), *textwrap.wrap(stacks, _LINE)]
    return tuple((notes if stacks else []) + _moment_notes(position))


def _moment_notes(position: State) -> list[str]:
    notes = []
    if position.tender:
        notes.append(
            _("{who} tenders {types}.").format(who=_(SEATS[1 - position.turn]), types=types_text(position.tender))
        )
    if position.refused:
        refused = listing([types_text(digits) for digits in position.refused], _("and"))
        notes.append(_("Refused in this turn: {types}.").format(types=refused))
    if position.idle >= NOTED:
        notes.append(_("{count} turns without a capture or an onboarding; 200 are a draw.").format(count=position.idle))
    return notes


# -- sentences ---------------------------------------------------------------------


def _summary(position: State) -> str:
    sentences = [f"{_title(position)}."]
    standing = [square for square in SQUARES if position.stacks[square]]
    if not standing:
        sentences.append(_("The board is empty."))
    sentences.extend(_standing(position, square) for square in standing)
    sentences.extend(_holding(position, seat) for seat in (0, 1))
    return " ".join(sentences + _moment_notes(position))


def _standing(position: State, square: int) -> str:
    pieces = [_piece_name(OWNER[sign], FACES[sign]) for sign in position.stacks[square]]
    if len(pieces) == 1:
        return _("On {square}: {piece}.").format(square=NAMES[square], piece=pieces[0])
    return _("On {square}, from the bottom up: {pieces}.").format(square=NAMES[square], pieces="; ".join(pieces))


def _holding(position: State, seat: int) -> str:
    hand, held = position.hands[seat], position.prisoners[seat]
    if "?" in hand:
        in_hand = ngettext("{count} unseen piece", "{count} unseen pieces", len(hand)).format(count=len(hand))
    else:
        in_hand = _counted(hand)
    return _("{who} has in hand {hand}; prisoners: {prisoners}.").format(
        who=_(SEATS[seat]), hand=in_hand, prisoners=_counted(held)
    )


def _counted(digits: str) -> str:
    """Write types with their numbers in words: “3 Mute, 1 Ace”."""
    kinds = [f"{digits.count(digit)} {_(TYPE_NAMES[int(digit)])}" for digit in dict.fromkeys(digits)]
    return ", ".join(kinds) if kinds else _("none")
