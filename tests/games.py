"""Every game and option set that the contract suite and the records walk through."""

from __future__ import annotations

from typing import Any, NamedTuple

from engines import GAMES
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


CASES: list[Case] = []
