"""Parse the moves before play begins (Wall Street), and chance entries."""

from __future__ import annotations

import re

from engines.base import IllegalMove, MoveError, NotationError, Seat, UnfinishedMove, quoted
from engines.proteus_dice import objections, street
from engines.proteus_dice.dice import NAMES, SQUARES
from engines.proteus_dice.moves import Army, Move, Placing, Roll, Setup, Throw
from engines.proteus_dice.state import State
from engines.proteus_dice.words import try_these
from engines.wording import _, ngettext

_BOUGHT = re.compile(r"(?:(?P<word>army|setup|set-up)\b)?[\s:]*(?P<faces>[a-z\s,]*)", re.IGNORECASE | re.ASCII)
_PLACED = re.compile(r"(?P<face>[a-z])\s*@?\s*(?P<square>[a-h][1-8])", re.IGNORECASE | re.ASCII)
_ROLLED = re.compile(r"roll\s+([1-6])-([1-6])", re.IGNORECASE | re.ASCII)
_THROWN = re.compile(r"\{([YPBNRQ])\}", re.IGNORECASE | re.ASCII)


def read_before_play(position: State, seat: Seat, text: str) -> Move:
    """Parse an army, set-up, placement or random draw; raise MoveError."""
    move = _read(position, text.strip())
    if move is None:
        near = _examples(position, seat)
        sentence = _("That cannot be read: {text}.").format(text=quoted(text))
        raise NotationError(f"{objections.due(position)} {sentence} {try_these(near)}".strip(), near)
    objection = objections.against(position, seat, move)
    if objection is not None:
        raise IllegalMove(objection, _examples(position, seat))
    return move


def _read(position: State, text: str) -> Move | None:
    match position.stage:
        case "army" | "setup":
            return _bought(position, text)
        case "place":
            _check_where(position, text)
            fit = _PLACED.fullmatch(text)
            return Placing(fit["face"].upper(), SQUARES[fit["square"].lower()]) if fit else None
        case "roll":
            fit = _ROLLED.fullmatch(text)
            return Roll(int(fit[1]), int(fit[2])) if fit else None
        case "throw":
            fit = _THROWN.fullmatch(text)
            return Throw(fit[1].upper()) if fit else None
    raise MoveError(objections.due(position))


def _check_where(position: State, text: str) -> None:
    """Ask for the square if only a die in hand is named."""
    face = text.rstrip("@ ").upper()
    moves = street.choices(position, position.turn)
    placings = tuple(
        f"{move.face}@{NAMES[move.square]}" for move in moves if isinstance(move, Placing) and move.face == face
    )
    if placings:
        raise UnfinishedMove(_("On which square? {near}").format(near=try_these(placings)), placings)


def _bought(position: State, text: str) -> Army | Setup | None:
    fit = _BOUGHT.fullmatch(text)
    if fit is None or (fit["word"] or position.stage).casefold().replace("-", "") != position.stage:
        return None
    faces = re.sub(r"[\s,]", "", fit["faces"]).upper()
    if not faces or (not fit["word"] and faces.strip("YPBNRQK")):
        return None
    if len(faces) < 8 and (complete := _completed(position, faces)):
        raise _too_few(position, faces, complete)
    if position.stage == "setup":
        return Setup(faces)
    if faces.strip("PBNRQ"):
        return Army(faces)
    return Army(street.sorted_faces(faces, position.rules.warhorses))


def _completed(position: State, faces: str) -> tuple[str, ...]:
    """Return some affordable complete texts that begin with these dice."""
    if position.stage == "setup":
        return (f"setup {faces.ljust(8, 'P')}",) if _payable(position, faces) else ()
    armies = street.armies(position.rules.warhorses)
    return tuple(f"army {army}" for army in armies if all(army.count(face) >= faces.count(face) for face in faces))


def _payable(position: State, faces: str) -> bool:
    return objections.against_buying(faces.ljust(8, "P"), position.rules.warhorses) is None


def _too_few(position: State, faces: str, complete: tuple[str, ...]) -> UnfinishedMove:
    missing = 8 - len(faces)
    sentence = ngettext("One die is missing:", "{count} dice are missing:", missing).format(count=missing)
    rest = _("exactly eight are bought, for 20 points at most.")
    return UnfinishedMove(f"{sentence} {rest} {try_these(complete[:3])}", complete)


def _examples(position: State, seat: Seat) -> tuple[str, ...]:
    match position.stage:
        case "army":
            return tuple(f"army {army}" for army in street.armies(position.rules.warhorses)[-4:])
        case "setup":
            return ("setup PPBPNPPP", "setup PPPPPPPQ") if not position.rules.warhorses else ("setup PPPPPPPQ",)
        case "place":
            moves = list(street.choices(position, seat))
            return tuple(f"{move.face}@{NAMES[move.square]}" for move in moves[:4] if isinstance(move, Placing))
    return ()
