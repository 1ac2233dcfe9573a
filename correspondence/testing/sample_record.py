"""Parse a sample game that comes with its rules: a header, an empty line, then entries.

Each entry is one line. The header is tags: `[Game "duel"]`, `[Version "1"]`, `[Options ""]`, `[Seats "Black White"]`,
`[Result "1-0"]`, and optionally `[Reason "…"]`. An entry is `12. Black: 5@b3`, with `*` for chance, without
times. Lines that begin with `#` are the board after the entry above them, as text.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, NamedTuple

from engines import GAMES
from engines.base import CHANCE, Game, Position
from engines.options import options_from, read_options
from engines.record import Entry, replay


class SampleRecord(NamedTuple):
    """A parsed sample record; `boards` maps a number of entries to the board after them."""

    tags: dict[str, str]
    entries: tuple[Entry, ...]
    boards: dict[int, str]

    @property
    def game(self) -> Game:
        """The game of the record."""
        return GAMES[self.tags["Game"]]

    @property
    def options(self) -> Any:
        """The options of the game, parsed."""
        return read_options(self.game.Options, options_from(self.tags["Options"]))

    def end(self) -> Position[Any]:
        """The position after the last entry; raises ReplayError."""
        return replay(self.game, self.options, self.entries)


def read_sample(text: str) -> SampleRecord:
    """Parse a sample record; raise ValueError for a line that is not a tag, entry or board."""
    head, _blank, body = text.partition("\n\n")
    tags = dict(_matched(r'\[(\w+) "(.*)"\]', line) for line in head.splitlines())
    seats = {seat: number for number, seat in enumerate(tags["Seats"].split())} | {"*": CHANCE}
    entries: list[Entry] = []
    boards: dict[int, str] = {}
    for is_board, lines in itertools.groupby(body.splitlines(), key=lambda line: line.startswith("#")):
        if is_board:
            boards[len(entries)] = "\n".join(line[2:] for line in lines)
        else:
            found = [_matched(r"\d+\. (\*|\w+): (.*)", line) for line in lines]
            entries += [Entry(seats[seat], words) for seat, words in found]
    return SampleRecord(tags, tuple(entries), boards)


def _matched(form: str, line: str) -> tuple[str, str]:
    match = re.fullmatch(form, line)
    if match is None:
        raise ValueError(f"cannot be read in a sample: {line}")
    return match[1], match[2]
