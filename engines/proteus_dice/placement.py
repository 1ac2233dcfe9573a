"""Write and parse position texts, which resemble chess's FEN."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines.proteus_dice.dice import EMPTY, NAMES, SIDES, SQUARES
from engines.proteus_dice.moves import NOWHERE
from engines.proteus_dice.options import PawnDouble
from engines.proteus_dice.state import State

_PENDING = {"throw": "?", "rotate": "!"}
_UNMOVED = re.compile(r"-|(?:[a-h][1-8])+")


@dataclass(frozen=True, slots=True)
class Fields:
    """The parsed fields of a position text."""

    board: str
    turn: int
    white: int = 0
    black: int = 0
    quiet: int = 0
    number: int = 1
    unmoved: int = 0
    stage: str = "turn"
    square: int = NOWHERE


def written(position: State) -> str:
    """Write the position text.

    It contains placement, side, points, quiet turns, turn number, unmoved dice and pending action.
    """
    fields = [
        placement(position.board),
        "wb"[position.turn],
        f"{position.white}-{position.black}",
        str(position.quiet),
        str(position.number),
    ]
    if position.rules.pawn_double is PawnDouble.FIRST:
        fields.append(_unmoved_text(position.unmoved) or "-")
    if position.stage in _PENDING:
        fields.append(_PENDING[position.stage] + NAMES[position.square])
    return " ".join(fields)


def placement(board: str) -> str:
    """Write the board from rank 8 down, with numbers for runs of empty squares."""
    ranks = "/".join(board[start : start + 8] for start in range(56, -1, -8))
    return re.sub(r"\.+", lambda run: str(len(run.group())), ranks)


def _unmoved_text(unmoved: int) -> str:
    by_file = sorted(range(64), key=lambda square: (square % 8, square // 8))
    return "".join(NAMES[square] for square in by_file if unmoved >> square & 1)


def fields_of(text: str) -> Fields:
    """Parse a position text; everything after the placement is optional. Raises ValueError."""
    words = text.split()
    if not words:
        raise ValueError("a position text begins with the placement")
    board = _board(words[0])
    stage, square = _pending(words)
    unmoved = _unmoved(words.pop()) if len(words) > 5 else 0
    side, points, quiet, number = (words[1:] + ["w", "0-0", "0", "1"][len(words) - 1 :])[:4]
    if side not in ("w", "b") or len(words) > 5 or not re.fullmatch(r"\d{1,4}-\d{1,4}", points):
        raise ValueError(f"not a position text: {text[:80]!r}")
    white, black = map(int, points.split("-"))
    return Fields(board, "wb".index(side), white, black, int(quiet), int(number), unmoved, stage, square)


def _board(text: str) -> str:
    full = re.sub(r"[1-8]", lambda digit: EMPTY * int(digit.group()), text)
    ranks = full.split("/")
    letters = SIDES[0] + SIDES[1] + EMPTY
    if len(ranks) != 8 or any(len(rank) != 8 or rank.strip(letters) for rank in ranks):
        raise ValueError(f"not a placement: {text[:80]!r}")
    return "".join(reversed(ranks))


def _pending(words: list[str]) -> tuple[str, int]:
    for stage, sign in _PENDING.items():
        if words[-1][0] == sign:
            name = words.pop()[1:]
            if name not in SQUARES:
                raise ValueError(f"no such square: {name[:20]!r}")
            return stage, SQUARES[name]
    return "turn", NOWHERE


def _unmoved(text: str) -> int:
    if not _UNMOVED.fullmatch(text):
        raise ValueError(f"not a list of squares: {text[:80]!r}")
    return sum(1 << SQUARES[name] for name in set(re.findall(r"[a-h][1-8]", text)))
