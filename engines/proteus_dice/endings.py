"""Ends of games of Proteus with dice, and the board history that detects repetition."""

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
"""Minimum number of turns before a third occurrence of a position: two cycles of four."""

_TOO_OFTEN = 3
"""Number of occurrences of a position that end the game (S-l)."""

TURN_SIGNS = "+-"
"""The prefixes of a stored board: White's turn, or Black's."""

_FRESH = "/"
"""Prefix of an unpacked board; no board contains it, which makes substring search fast."""

_MANY = 32 * (1 + 1 + 64)
"""Maximum length of unpacked history, in characters."""


def outcome_of(ending: str, turn: Seat, white: int, black: int) -> Outcome:
    """Return the outcome for an ending in the turn of `turn`, with points as scores."""
    if ending == "immobile":
        return Outcome((1 - turn,), WINS[ending], (white, black))
    if ending == "repetition" or white == black:
        return Outcome((), DRAWS[ending], (white, black))
    return Outcome((int(black > white),), WINS[ending], (white, black))


def ending_at(rules: Options, board: str, turn: Seat, quiet: int, key: str, seen: str) -> str:
    """Return the ending at the start of this turn, in the order of ruling S-n; "" if none.

    `key` is this board's stored form; `seen` holds earlier boards and this one in the same form.
    """
    if not rules.trade_off and not dice.can_move(board, turn, dice.RULES[rules.warhorses][rules.polarity]):
        return "immobile"
    if quiet >= _SOONEST and seen.count(key) >= _TOO_OFTEN:
        return "repetition"
    return "quiet" if quiet >= QUIET_LIMIT else ""


def remembered(board: str, turn: Seat, seen: str) -> tuple[str, str]:
    """Return the stored form of board and turn, and the history including it.

    The first boards are stored unpacked, because a capture usually clears the history soon. All are packed when there
    are many. No stored form is a prefix of another, so they can be concatenated.
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
