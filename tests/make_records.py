"""Write one random whole game per case to tests/records: `python -m tests.make_records`.

A record is its header, one line for each entry, and after every tenth entry and the last the board, in
lines that begin with `#`. The same rules write the same files: a changed file shows that a game is
drawn or played differently. If old moves lead elsewhere, raise the game's version. Records of games
that are not random (`sample.record` in the package of a game) are not changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engines.base import CHANCE, Outcome, Position
from engines.duel_puzzle import Puzzle
from engines.duel_puzzle.state import SOLVER
from engines.duel_solver import solve
from engines.options import read_options
from engines.record import Entry, Playout, playout, positions
from engines.text import render
from engines.verification.record_text import result_of
from tests.games import OUR_CASES, Case
from tests.recorded import RECORDS

FEWEST, MOST = 24, 150
"""Minimum and maximum number of entries of a record, if the game allows it."""

SEEDS = 200
"""Number of random games tried for a case."""

STRAY = 24
"""Number of random entries of a puzzle before it is solved."""

BOARD_EVERY = 10
"""Number of entries between two boards in a record."""

ENDINGS = {
    "proteus-dice": "leaving the other side no die that can move",
    "proteus-dice wall_street=open": "equal points when a side was down to one die or none",
    "proteus-dice polarity=yes": "more points after 50 turns by each side without a capture",
    "proteus-tiles": "three pieces on tiles of one shape",
    "proteus-tiles repetition=draw": "the third occurrence of a position",
    "plateau": "six prisoners",
}
"""Required endings of some cases, so that rare endings are covered too."""


def main() -> None:
    """Write the records of all cases."""
    for case in OUR_CASES:
        path = RECORDS / f"{name_of(case)}.record"
        path.write_text(record_of(case))
        print(path.name, flush=True)


def name_of(case: Case) -> str:
    """Return the name of the record of a case, for `tests.recorded`."""
    return "-".join([case.key, *(f"{name}-{value}" for name, value in case.options.items())])


def record_of(case: Case) -> str:
    """Return the record of a case as text."""
    game = chosen(case)
    assert game.position.outcome is not None  # random games end, and puzzles are solved
    lines = [f'[{name} "{value}"]' for name, value in tags_of(case, game.position.outcome).items()]
    return "\n".join([*lines, "", *body_of(case, game.entries), ""])


def chosen(case: Case) -> Playout:
    """Return the first random game of moderate length with the wanted end, or else the shortest."""
    for seed in range(SEEDS):
        game = played(case, seed, MOST)
        if len(game.entries) >= FEWEST and _ends_well(case, game.position.outcome):
            return game
    return min((played(case, seed) for seed in range(SEEDS)), key=lambda game: len(game.entries))


def _ends_well(case: Case, outcome: Outcome | None) -> bool:
    return outcome is not None and ENDINGS.get(str(case), outcome.reason) == outcome.reason


def played(case: Case, seed: int, most: int = 10_000) -> Playout:
    """Play the random game of a seed, at most `most` entries; a puzzle is solved at the end."""
    rng, start = random.Random(f"{case}, game {seed}"), case.start()
    return _solved(playout(start, rng, STRAY)) if isinstance(start, Puzzle) else playout(start, rng, most)


def _solved(game: Playout) -> Playout:
    entries, position = list(game.entries), game.position
    solution = solve(position)
    assert solution is not None  # otherwise the record would have no result
    for walk in solution.moves:
        entries.append(Entry(SOLVER, position.write(SOLVER, walk)))
        position = position.after(SOLVER, walk)
    return Playout(tuple(entries), position)


def tags_of(case: Case, outcome: Outcome) -> dict[str, str]:
    """Return the header of a record."""
    return {
        "Game": case.key,
        "Version": str(case.game.version),
        "Options": " ".join(f"{name}={value}" for name, value in case.options.items()),
        "Seats": " ".join(case.game.seats),
        "Result": result_of(outcome),
        "Reason": outcome.reason,
        "Scores": " ".join(map(str, outcome.scores)),
    }


def body_of(case: Case, entries: tuple[Entry, ...]) -> Iterator[str]:
    """Yield the entries and the boards, line by line."""
    seats = {CHANCE: "*", **dict(enumerate(case.game.seats))}
    course = positions(case.game, read_options(case.game.Options, case.options), entries)
    next(course)
    for ply, (entry, position) in enumerate(zip(entries, course, strict=True), start=1):
        yield f"{ply}. {seats[entry.seat]}: {entry.text}"
        if ply % BOARD_EVERY == 0 or ply == len(entries):
            yield from board_of(position)


def board_of(position: Position[Any]) -> list[str]:
    """Return the board with hidden information, as comment lines."""
    return [f"# {line}".rstrip() for line in render(position.draw()).split("\n")]


if __name__ == "__main__":
    main()
