"""Every game and option set that the contract suite and the records walk through."""

from __future__ import annotations

from correspondence.testing.walks import Case, cases_of
from engines import BROUGHT

__all__ = ["CASES", "OUR_CASES", "Case"]

OUR_CASES: list[Case] = [
    Case("proteus-dice", {}),
    Case("proteus-dice", {"trade_off": "yes"}),
    Case("proteus-dice", {"roulette": "before"}),
    Case("proteus-dice", {"roulette": "after"}),
    Case("proteus-dice", {"wall_street": "open"}),
    Case("proteus-dice", {"wall_street": "secret"}),
    Case("proteus-dice", {"polarity": "yes"}),
    Case("proteus-dice", {"warhorses": "yes"}),
    Case("proteus-dice", {"pawn_double": "first"}),
    Case("proteus-dice", {"polarity": "yes", "warhorses": "yes"}),
    Case("proteus-dice", {"trade_off": "yes", "roulette": "before"}),
    Case("proteus-dice", {"trade_off": "yes", "pawn_double": "first"}),
    Case("proteus-dice", {"roulette": "before", "wall_street": "open", "polarity": "yes"}),
    Case("proteus-dice", {"roulette": "after", "wall_street": "secret", "warhorses": "yes"}),
    Case("proteus-dice", {"roulette": "before", "wall_street": "secret", "pawn_double": "first"}),
    Case(
        "proteus-dice",
        {
            "trade_off": "yes",
            "roulette": "before",
            "wall_street": "open",
            "polarity": "yes",
            "warhorses": "yes",
            "pawn_double": "first",
        },
    ),
    Case(
        "proteus-dice",
        {
            "trade_off": "yes",
            "roulette": "after",
            "wall_street": "secret",
            "polarity": "yes",
            "warhorses": "yes",
            "pawn_double": "first",
        },
    ),
    Case("proteus-tiles", {}),
    Case("proteus-tiles", {"repetition": "draw"}),
    Case("duel", {}),
    Case("duel", {"board": "sun"}),
    Case("duel-puzzle", {}),
    Case("duel-puzzle", {"goal": "2"}),
    Case("duel-puzzle", {"goal": "3", "board": "sun"}),
    Case("duel-puzzle", {"goal": "4"}),
    Case("plateau", {}),
]

CASES: list[Case] = [*OUR_CASES, *(case for key in sorted(BROUGHT) for case in cases_of(key))]
"""The service's own games, and those of installed packages."""
