"""Draw a position, and return moves as touches on its picture."""

from __future__ import annotations

from functools import lru_cache
from gettext import NullTranslations
from typing import Literal

from engines.base import Outcome
from engines.proteus_dice import dice, objections, street
from engines.proteus_dice.dice import EMPTY, NAMES
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Setup, Turn
from engines.proteus_dice.options import PawnDouble, Roulette, WallStreet
from engines.proteus_dice.state import State
from engines.proteus_dice.words import coloured, piece
from engines.proteus_dice.writing import canonical
from engines.scene import Cell, Choice, Mark, Piece, Scene, Tray, TrayItem
from engines.wording import _, current_translations, listing, ngettext

QUIET_WORTH_TELLING = 50
"""Number of quiet turns from which the picture shows their count."""


def touches(position: State, move: Move) -> tuple[str, ...]:
    """Return the touches of a move: from, to, die to turn, new face; or a set-up's dice by file."""
    match move:
        case Turn():
            return _turn_touches(position, move)
        case Placing(face, square):
            return (f"hand:{face}", NAMES[square])
        case Army(faces):
            return (f"army:{faces}",)
        case Setup(faces):
            home = dice.HOMES[0]
            return tuple(f"{NAMES[square][0]}:{face}" for square, face in zip(home, faces, strict=True))
    return (canonical(position, move),)


def _turn_touches(position: State, move: Turn) -> tuple[str, ...]:
    sign = "==" if position.stage == "turn" and move.origin == NOWHERE else "="
    way = () if move.origin == NOWHERE else (NAMES[move.origin], NAMES[move.target])
    return (*way, NAMES[move.turned], f"{sign}{move.face}") if move.turned != NOWHERE else way


def draw(position: State) -> Scene:
    """Draw everything in this position."""
    pending, notes = position.stage in ("throw", "rotate"), _notes(position)
    return Scene(
        title=_("Proteus with dice: {moment}").format(moment=_moment(position)),
        summary=_summary(position, notes),
        files=tuple("abcdefgh"),
        ranks=tuple("87654321"),
        rows=_rows(position),
        trays=_trays(position),
        notes=notes,
        choices=_choices(position),
        marks=(Mark(NAMES[position.square], "hint"),) if pending else (),
    )


def _rows(position: State) -> tuple[tuple[Cell, ...], ...]:
    values, words = position.dice_rules.value, current_translations()
    cells = [_cell(words, square, letter, values.get(letter, 0)) for square, letter in enumerate(position.board)]
    return tuple([tuple(cells[start : start + 8]) for start in range(56, -1, -8)])


@lru_cache(maxsize=4_096)
def _cell(_translations: NullTranslations, square: int, letter: str, value: int) -> Cell:
    """Return the cell of a square and its die, named in this language; cached between moves."""
    tint: Literal["light", "dark"] = "light" if (square // 8 + square) % 2 else "dark"
    if letter == EMPTY:
        return Cell(NAMES[square], tint=tint)
    return Cell(NAMES[square], letter, (_piece(letter, value),), tint=tint)


def _die(position: State, letter: str) -> Piece:
    return _piece(letter, position.dice_rules.value[letter])


def _piece(letter: str, value: int) -> Piece:
    return Piece(letter, coloured(letter), "die", letter.upper(), int(letter.islower()), value)


# -- sentences on the position -----------------------------------------------------------


def _moment(position: State) -> str:
    points = f"{position.white}–{position.black}"
    if (outcome := position.outcome) is not None:
        return _("{who}, {points}").format(who=_ended(position, outcome), points=points)
    match position.stage:
        case "army":
            return _("armies are chosen in secret")
        case "setup":
            return _("set-ups are chosen in secret")
        case "roll":
            return _("throwing for the first move")
        case "throw":
            return _("the die on {square} is to be thrown, {points}").format(
                square=NAMES[position.square], points=points
            )
        case "rotate":
            return _("{who} to turn a die, {points}").format(who=_side(position, position.turn), points=points)
        case "place":
            return _("{who} to place a die").format(who=_side(position, position.turn))
    return _("{who} to move, {points}").format(who=_side(position, position.turn), points=points)


def _side(position: State, seat: int) -> str:
    return _(position.SEATS[seat])


def _ended(position: State, outcome: Outcome) -> str:
    return _("{who} wins").format(who=_side(position, outcome.winners[0])) if outcome.winners else _("a draw")


def _summary(position: State, notes: tuple[str, ...]) -> str:
    sentences = [_("{moment}.").format(moment=_capital(_moment(position)))]
    sentences += [_dice_of(position, seat) for seat in (0, 1)]
    return " ".join([*sentences, *notes[1:]])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _dice_of(position: State, seat: int) -> str:
    """List a side's dice: “White: rook a4; pawns a1, b2.”, most valuable first."""
    by_face = []
    for face in reversed(position.dice_rules.order):
        letter = face if seat == 0 else face.lower()
        where = [NAMES[square] for square in dice.squares_of(position.board, letter)]
        if where:
            by_face.append(_("{piece} {squares}").format(piece=piece(face), squares=", ".join(where)))
    return _("{side}: {dice}.").format(side=_side(position, seat), dice="; ".join(by_face) or _("no dice on the board"))


def _notes(position: State) -> tuple[str, ...]:
    notes = [
        _("Points: White {white}, Black {black}.").format(white=position.white, black=position.black),
        _pending(position),
        _quiet(position),
        _rules(position),
    ]
    return tuple(note for note in notes if note)


def _pending(position: State) -> str:
    stage = position.stage
    if (outcome := position.outcome) is not None:
        who = _("{who} by {reason}.").format(who=_ended(position, outcome), reason=_(outcome.reason))
        return _capital(who)
    if stage == "rotate":
        return _("The die on {square} was thrown: a {piece}. Another die is to be turned.").format(
            square=NAMES[position.square], piece=piece(position.board[position.square])
        )
    return objections.due(position) if stage != "turn" else ""


def _quiet(position: State) -> str:
    if position.quiet <= QUIET_WORTH_TELLING or position.ending:
        return ""
    left = 100 - position.quiet
    return ngettext(
        "{quiet} turns without a capture: after one more the points decide.",
        "{quiet} turns without a capture: after {left} more the points decide.",
        left,
    ).format(quiet=position.quiet, left=left)


def _rules(position: State) -> str:
    rules = position.rules
    named = [
        (rules.trade_off, _("Trade-Off")),
        (rules.roulette is Roulette.BEFORE, _("Russian Roulette before the rotation")),
        (rules.roulette is Roulette.AFTER, _("Russian Roulette after the rotation")),
        (rules.wall_street is WallStreet.OPEN, _("Wall Street, open set-up")),
        (rules.wall_street is WallStreet.SECRET, _("Wall Street, secret set-up")),
        (rules.polarity, _("Polarity")),
        (rules.warhorses, _("Warhorses")),
        (rules.pawn_double is PawnDouble.FIRST, _("a pawn's double step only before its first move")),
    ]
    inforce = [name for used, name in named if used]
    return _("Rules in force: {rules}.").format(rules=listing(inforce, _("and"))) if inforce else ""


# -- trays and choices -----------------------------------------------------------------


def _trays(position: State) -> tuple[Tray, ...]:
    if position.stage not in ("army", "setup", "roll", "place") or position.hands == ("", ""):
        return ()
    return tuple(_tray(position, seat) for seat in (0, 1) if position.hands[seat])


def _tray(position: State, seat: int) -> Tray:
    hand = position.hands[seat]
    label = _("{side}'s dice").format(side=_side(position, seat))
    if "?" in hand:
        note = ngettext("{count} die, unseen", "{count} dice, unseen", len(hand)).format(count=len(hand))
        return Tray(label, side=seat, note=note)
    if position.stage == "setup":
        shown = " ".join(f"{NAMES[at]} {face}" for at, face in zip(dice.HOMES[seat], hand, strict=True))
        return Tray(label, side=seat, note=shown)
    touchable = position.stage == "place" and position.turn == seat
    items = tuple(
        TrayItem(
            _die(position, face if seat == 0 else face.lower()),
            hand.count(face),
            f"hand:{face}" if touchable else "",
        )
        for face in dict.fromkeys(hand)
    )
    return Tray(label, items, seat)


def _choices(position: State) -> tuple[Choice, ...]:
    match position.stage:
        case "army":
            return tuple(
                Choice(f"army:{army}", _army_words(position, army)) for army in street.armies(position.rules.warhorses)
            )
        case "setup":
            return tuple(_buyings(position))
        case "turn" | "rotate":
            return _faces_to_show(position)
    return ()


def _army_words(position: State, army: str) -> str:
    words = [_("{count} {piece}").format(count=army.count(face), piece=piece(face)) for face in dict.fromkeys(army)]
    return _("{dice}: {price} points").format(dice=", ".join(words), price=street.price(army, position.rules.warhorses))


def _buyings(position: State) -> list[Choice]:
    value = position.dice_rules.value
    return [
        Choice(
            f"{file}:{face}",
            _("file {file}: {piece}, {price} points").format(file=file, piece=piece(face), price=value[face]),
        )
        for file in "abcdefgh"
        for face in position.dice_rules.order[1:]
    ]


def _faces_to_show(position: State) -> tuple[Choice, ...]:
    once, twice = _turnings(current_translations(), position.dice_rules, position.turn)
    return (*once, *twice) if position.rules.trade_off and position.stage != "rotate" else once


@lru_cache(maxsize=64)
def _turnings(
    _translations: NullTranslations, rules: dice.Rules, side: int
) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """Return the faces to which this side can turn a die in one and in two steps; cached."""
    letters = {face: face if side == 0 else face.lower() for face in rules.order}
    dies = {face: _piece(letter, rules.value[letter]) for face, letter in letters.items()}
    one, two = _("turn it to a {piece}"), _("turn it two steps, to a {piece}, instead of moving")
    return (
        tuple(Choice(f"={face}", one.format(piece=piece(face)), die) for face, die in dies.items()),
        tuple(Choice(f"=={face}", two.format(piece=piece(face)), die) for face, die in dies.items()),
    )
