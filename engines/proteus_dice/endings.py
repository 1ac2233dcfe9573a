"""How games of Proteus with dice end, and what is remembered to see it."""

from __future__ import annotations

from engines.base import Outcome, Seat
from engines.proteus_dice import dice
from engines.proteus_dice.options import Options
from engines.wording import N_

DRAWS = {
    "dice": N_("equal points when a side was down to one die or none"),
    "repetition": N_("the third occurrence of a position"),
    "quiet": N_("equal points after 50 turns by each side without a capture"),
}
WINS = {
    "dice": N_("more points when a side was down to one die or none"),
    "immobile": N_("leaving the other side no die that can move"),
    "quiet": N_("more points after 50 turns by each side without a capture"),
}
QUIET_LIMIT = 100
"""So many turns in a row without a capture end the game (S-m)."""

_SOONEST = 8
"""No position occurs for the third time sooner: a side needs two turns to undo one, twice."""

_TOO_OFTEN = 3
"""So many occurrences of a position end the game (S-l)."""

TURN_SIGNS = "+-"
"""What stands before a remembered board: White's turn, or Black's."""

_FRESH = "/"
"""Stands before both where the board is remembered as it is. No board holds it, so Python's search, when it sees it,
leaves out the whole board before it."""

_MANY = 32 * (1 + 1 + 64)
"""So many characters of boards are remembered as they are."""


def outcome_of(ending: str, turn: Seat, white: int, black: int) -> Outcome:
    """The outcome of a game that ended so in the turn of `turn`; the points as scores."""
    if ending == "immobile":
        return Outcome((1 - turn,), WINS[ending], (white, black))
    if ending == "repetition" or white == black:
        return Outcome((), DRAWS[ending], (white, black))
    return Outcome((int(black > white),), WINS[ending], (white, black))


def ending_at(rules: Options, board: str, turn: Seat, quiet: int, key: str, seen: str) -> str:
    """What ends the game at the start of this turn, in the order of ruling S-n; "" if nothing does.

    `key` is this board as it is remembered; `seen` are those before it and this one, in the same form.
    """
    if not rules.trade_off and not dice.can_move(board, turn, dice.RULES[rules.warhorses][rules.polarity]):
        return "immobile"
    if quiet >= _SOONEST and seen.count(key) >= _TOO_OFTEN:
        return "repetition"
    return "quiet" if quiet >= QUIET_LIMIT else ""


def remembered(board: str, turn: Seat, seen: str) -> tuple[str, str]:
    """The board and the turn in a form that can be counted in what is seen, and all that is seen with it.

    A capture soon forgets them all, so the first boards stand there as they are, which costs nothing. When they get
    many, all are packed. No such text is the beginning of another, so that they can stand in a row.
    """
    key = TURN_SIGNS[turn] + board
    if not seen or (seen[0] == _FRESH and len(seen) < _MANY):
        return key, f"{seen}{_FRESH}{key}"
    if seen[0] == _FRESH:
        seen = _packed(seen.replace(_FRESH, ""))
    key = _packed(key)
    return key, seen + key


def _packed(boards: str) -> str:
    """Boards in few characters: runs of empty squares as digits."""
    packed = boards.replace("........", "8").replace(".......", "7").replace("......", "6").replace(".....", "5")
    return packed.replace("....", "4").replace("...", "3").replace("..", "2")
