"""Reading the whole games that stand in tests/records.

A record is its header, an empty line, and one line for each entry. Lines that begin with `#` are the board
after the entry above them, as text.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, NamedTuple

from engines import GAMES
from engines.base import CHANCE, Game, Position
from engines.options import read_options
from engines.record import Entry, replay

RECORDS = Path(__file__).parent / "records"


class Recorded(NamedTuple):
    """A record as read; `boards` are the boards written in it, by the number of entries before each."""

    tags: dict[str, str]
    entries: tuple[Entry, ...]
    boards: dict[int, str]

    @property
    def game(self) -> Game:
        return GAMES[self.tags["Game"]]

    @property
    def options(self) -> Any:
        words = dict(option.split("=") for option in self.tags["Options"].split())
        return read_options(self.game.Options, words)

    def end(self) -> Position[Any]:
        """The position after the last entry."""
        return replay(self.game, self.options, self.entries)


def recorded(name: str) -> Recorded:
    """The record of that name; the samples lie with their games."""
    key = name.removesuffix("-sample")
    return read(GAMES[key].presentation.sample() if key != name else RECORDS.joinpath(f"{name}.record").read_text())


def read(text: str) -> Recorded:
    """The record that `text` holds."""
    head, _blank, body = text.partition("\n\n")
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M))
    seats = {seat: number for number, seat in enumerate(tags["Seats"].split())} | {"*": CHANCE}
    entries: list[Entry] = []
    boards: dict[int, str] = {}
    for is_board, lines in itertools.groupby(body.splitlines(), key=lambda line: line.startswith("#")):
        if is_board:
            boards[len(entries)] = "\n".join(line[2:] for line in lines)
        else:
            found = [re.fullmatch(r"\d+\. (\S+): (.*)", line) for line in lines]
            entries += [Entry(seats[entry[1]], entry[2]) for entry in found]
    return Recorded(tags, tuple(entries), boards)
