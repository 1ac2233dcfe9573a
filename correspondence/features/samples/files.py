"""The data files of the starter set: written by `flask samples make`, read when it is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from correspondence.features.samples import making
from correspondence.features.samples.making import PlayedGame, Tell
from correspondence.features.samples.plan import BOOK, COMMENTED, EXERCISES, SAMPLES

FOLDER = Path(__file__).parent / "data"
"""The folder of the files in a checkout and in an installed wheel."""

PARTS = ("games", "exercises", "book")
"""The parts of the set, each with a file of its own, in which each line is one JSON value."""


def make(part: str, folder: Path, tell: Tell) -> None:
    """Make one part of the set and write its file, replacing the previous one."""
    lines = {"games": _games, "exercises": _exercises, "book": _book}[part](tell)
    folder.mkdir(parents=True, exist_ok=True)
    write(lines, folder / f"{part}.jsonl")


def write(lines: Iterable[dict[str, Any]], path: Path) -> None:
    """Write a file with one JSON value a line; an existing one is replaced once the new one is whole."""
    made = path.with_suffix(".part")
    with made.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    made.replace(path)


def read(part: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Read one part of the set."""
    with (folder / f"{part}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _games(tell: Tell) -> Iterator[dict[str, Any]]:
    silent = set(COMMENTED)
    for kind in SAMPLES:
        tell(f"games: {kind.game} {kind.options}")
        for game in making.samples(kind):
            turning = making.turning_points(game) if game.game in silent else []
            if turning:
                silent.discard(game.game)
            yield {**_played(game), "turning": turning}


def _exercises(tell: Tell) -> Iterator[dict[str, Any]]:
    for kind in EXERCISES:
        tell(f"exercises: {kind.game} {kind.options}")
        for game, ply, tree in making.exercises(kind):
            yield {**_played(game), "ply": ply, "tree": tree}


def _book(tell: Tell) -> Iterator[dict[str, Any]]:
    for kind in BOOK:
        yield {"game": kind.game, "options": kind.options, "games": kind.number, "moves": making.book(kind, tell)}


def _played(game: PlayedGame) -> dict[str, Any]:
    return {
        "game": game.game,
        "options": game.options,
        "levels": game.levels,
        "result": game.result,
        "reason": game.reason,
        "entries": [[seat, text] for seat, text in game.entries],
    }
