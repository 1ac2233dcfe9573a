"""Reading the whole games that stand in tests/records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from engines import GAMES
from engines.base import CHANCE, Position
from engines.options import read_options
from engines.record import Entry, replay

RECORDS = Path(__file__).parent / "records"


class Recorded(NamedTuple):
    tags: dict[str, str]
    entries: tuple[Entry, ...]

    def end(self) -> Position:
        game = GAMES[self.tags["Game"]]
        options = dict(option.split("=") for option in self.tags["Options"].split())
        return replay(game, read_options(game.Options, options), self.entries)


def recorded(name: str) -> Recorded:
    head, _blank, body = (RECORDS / f"{name}.record").read_text().partition("\n\n")
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M))
    seats = {seat: number for number, seat in enumerate(tags["Seats"].split())} | {"*": CHANCE}
    lines = [re.fullmatch(r"\d+\. (\S+): (.*)", line) for line in body.splitlines()]
    return Recorded(tags, tuple(Entry(seats[line[1]], line[2]) for line in lines))
