"""Ends of games of Proteus with dice, and the history that detects them."""

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
"""Consecutive turns without a capture that end the game (S-m)."""

_SOONEST = 8
"""Minimum turns before a third occurrence: a side needs two turns to undo one, twice."""

_TOO_OFTEN = 3
"""Occurrences of a position that end the game (S-l)."""

TURN_SIGNS = "+-"
"""Prefix of a stored board: White's turn, or Black's."""

_FRESH = "/"
"""Prefix of an unpacked board. No board contains it, so Python's substring search skips
whole boards."""

_MANY = 32 * (1 + 1 + 64)
"""Characters of history kept unpacked."""


def outcome_of(ending: str, turn: Seat, white: int, black: int) -> Outcome:
    """The outcome for an ending in the turn of `turn`, with points as scores."""
    if ending == "immobile":
        return Outcome((1 - turn,), WINS[ending], (white, black))
    if ending == "repetition" or white == black:
        return Outcome((), DRAWS[ending], (white, black))
    return Outcome((int(black > white),), WINS[ending], (white, black))


def ending_at(rules: Options, board: str, turn: Seat, quiet: int, key: str, seen: str) -> str:
    """The ending at the start of this turn, in the order of ruling S-n; "" if the game goes on.

    `key` is this board's stored form; `seen` holds earlier boards and this one in the same form.
    """
    if not rules.trade_off and not dice.can_move(board, turn, dice.RULES[rules.warhorses][rules.polarity]):
        return "immobile"
    if quiet >= _SOONEST and seen.count(key) >= _TOO_OFTEN:
        return "repetition"
    return "quiet" if quiet >= QUIET_LIMIT else ""


def remembered(board: str, turn: Seat, seen: str) -> tuple[str, str]:
    """Return the stored form of board and turn, and the history including it.

    A capture soon clears the history, so the first boards are stored unpacked, which costs nothing. When they get
    many, all are packed. No stored form is a prefix of another, so they can be concatenated.
    """
    key = TURN_SIGNS[turn] + board
    if not seen or (seen[0] == _FRESH and len(seen) < _MANY):
        return key, f"{seen}{_FRESH}{key}"
    if seen[0] == _FRESH:
        seen = _packed(seen.replace(_FRESH, ""))
    key = _packed(key)
    return key, seen + key


def _packed(boards: str) -> str:
    """Pack boards by writing runs of empty squares as digits."""
    packed = boards.replace("........", "8").replace(".......", "7").replace("......", "6").replace(".....", "5")
    return packed.replace("....", "4").replace("...", "3").replace("..", "2")
