"""Whole games by lot, one for each case, written to tests/records: `python -m tests.make_records`.

A record is its header, then one line for each entry, and after every tenth entry and at the end the
board in lines that begin with `#`. Nothing in it depends on when or where it was written: the same rules
write the same files, so a file that changes tells that a game is played differently, and then the game's
version wants raising. Records of games that people played (`…-sample.record`) are left alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engines.base import CHANCE, Outcome, Position
from engines.duel_puzzle.position import SOLVER, Puzzle
from engines.duel_solver import solve
from engines.record import Entry, Playout, playout, positions
from engines.text import render
from tests.games import CASES, Case
from tests.recorded import RECORDS, name_of

FEWEST, MOST = 12, 150
"""A record has between so many and so many entries where the game allows it."""

STRAY = 24
"""So many entries of a puzzle are drawn by lot before it is solved."""

SEEDS = 400
"""So many games are tried for a case."""

BOARD_EVERY = 10
"""After so many entries the board is written."""

ENDINGS = {
    "proteus-dice": "leaving the other side no die that can move",
    "proteus-dice wall_street=open": "equal points when a side was down to one die or none",
    "proteus-tiles": "three pieces on tiles of one shape",
    "proteus-tiles repetition=draw": "the third occurrence of a position",
}
"""Reasons that the records of some cases must end by, so that endings that are rare are seen too."""


def record_of(case: Case) -> str:
    """The file that belongs to a case, as text."""
    game = chosen(case)
    start, options = case.start(), case.read_options()
    lines = list(header(case, game.position.outcome))
    seats = {CHANCE: "*", **dict(enumerate(case.game.seats))}
    for ply, position in enumerate(positions(case.game, options, game.entries)):
        lines += []
    return "\n".join(lines)
