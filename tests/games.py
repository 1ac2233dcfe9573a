"""Every game and option set that the contract suite and the records walk through."""

from __future__ import annotations

from typing import Any, NamedTuple

from engines import GAMES, OURS
from engines.base import Game, Position
from engines.options import read_options


class Case(NamedTuple):
    key: str
    options: dict[str, str]

    @property
    def game(self) -> Game:
        return GAMES[self.key]

    def start(self) -> Position[Any]:
        return self.game.start(read_options(self.game.Options, self.options))

    def __str__(self) -> str:
        return " ".join([self.key, *(f"{name}={value}" for name, value in self.options.items())])


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

CASES: list[Case] = [*OUR_CASES, *(Case(key, {}) for key in GAMES if key not in {game.key for game in OURS})]
"""Besides ours, every game that an installed package brings."""
