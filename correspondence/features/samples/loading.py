"""Load the starter set: import its games, add its exercises, and count its openings, a batch at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from correspondence.archive import import_export, record_file
from correspondence.archive.openings import position_key
from correspondence.core.db import insert_into
from correspondence.core.signing import Signer
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.fairness.record_tags import write_time_control
from correspondence.features.samples import files
from correspondence.features.samples.tables import SampleGame, SampleOpening, SampleSet
from correspondence.models import Match
from correspondence.play import exercises
from engines import GAMES
from engines.base import CHANCE, Game, Position
from engines.options import options_from, read_options
from engines.verification import chain

BATCH = 5
"""Number of games imported in one transaction, so that nobody waits long for the database."""

SITE = "sample games"
"""The tag Site of each sample's record."""

_OUTCOMES = ("first_wins", "draws", "second_wins")


def handle_of(level: int) -> str:
    """Return the name under which a robot of a level appears in sample games."""
    return f"sample-robot-{level}"


def want(session: Session) -> bool:
    """Let the workers load the set; return False if it is loaded already."""
    row = session.get(SampleSet, 1)
    if row is not None and not row.is_due and row.next_batch:
        return False
    session.merge(SampleSet(id=1, next_batch=row.next_batch if row else 0, is_due=True))
    return True


def load_next(session: Session, signer: Signer, *, now: datetime, folder: Path = files.FOLDER) -> bool:
    """Load the next batch from these files if the set is due; return whether there may be another one."""
    row = session.get(SampleSet, 1, with_for_update=True, populate_existing=True)
    if row is None or not row.is_due:
        return False
    batch = _batch(row.next_batch, folder)
    for line in batch:
        if "moves" in line:
            _add_openings(session, line)
        elif line["game"] in GAMES:
            _add_game(session, line, signer, now)
    row.next_batch, row.is_due = row.next_batch + 1, bool(batch)
    session.add(row)
    session.flush()
    return row.is_due


def _batch(number: int, folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a batch: some games, or one kind of openings; empty after the last."""
    games = [*files.read("games", folder), *files.read("exercises", folder)]
    last = -(-len(games) // BATCH)
    if number < last:
        return games[number * BATCH : (number + 1) * BATCH]
    return files.read("book", folder)[number - last : number - last + 1]


def _add_game(session: Session, line: dict[str, Any], signer: Signer, now: datetime) -> None:
    """Import a sample game and its exercise; do nothing if the game is here already, or its rules have changed."""
    try:
        with session.begin_nested():
            number = import_export.import_record(session, record_of(line), signer, now=now)
    except record_file.RecordError:
        return
    session.add(SampleGame(match_id=number, turning=json.dumps(line.get("turning", []))))
    found = exercises.candidate(session, session.get_one(Match, number), line["ply"]) if "tree" in line else None
    if found is not None:
        exercises.add(session, number, line["ply"], found.position, line["tree"], now=now)


def record_of(line: dict[str, Any]) -> str:
    """Return the record of a sample game, without times."""
    game = GAMES[line["game"]]
    seats = {CHANCE: "*", **dict(enumerate(game.seats))}
    tags = {
        "Game": game.key,
        "Version": str(game.version),
        "Options": line["options"],
        **{seat: handle_of(level) for seat, level in zip(game.seats, line["levels"], strict=True)},
        "Site": SITE,
        "Result": line["result"],
        "Reason": line["reason"],
        "Terms": write_time_control(DEFAULT_TIME_CONTROL),
        "Hash": _head(game, line),
    }
    head = [f'[{name} "{value}"]' for name, value in tags.items()]
    entries = [f"{ply}. {seats[seat]}: {text}" for ply, (seat, text) in enumerate(line["entries"], 1)]
    return "\n".join([*head, "", *entries, ""])


def _head(game: Game, line: dict[str, Any]) -> str:
    head = chain.first_hash(game.key, game.version, line["options"])
    for ply, (seat, text) in enumerate(line["entries"], 1):
        head = chain.undated_hash(head, ply, seat, text)
    return head


def _add_openings(session: Session, line: dict[str, Any]) -> None:
    """Count the continuations of one kind of openings, if its game is installed."""
    game = GAMES.get(line["game"])
    if game is None:
        return
    options: Any = read_options(game.Options, options_from(line["options"]))
    counts: dict[tuple[int, str], list[int]] = {}
    for key, text, results in continuations(game.key, line["options"], game.start(options), line["moves"]):
        sums = counts.setdefault((key, text), [0, 0, 0])
        sums[:] = [sum(pair) for pair in zip(sums, results, strict=True)]
    rows = [
        {"key": key, "text": text, **dict(zip(_OUTCOMES, sums, strict=True))} for (key, text), sums in counts.items()
    ]
    if rows:
        session.execute(insert_into(session, SampleOpening).on_conflict_do_nothing(), rows)


def continuations(
    game: str, options: str, position: Position[Any], node: dict[str, Any]
) -> Iterator[tuple[int, str, list[int]]]:
    """Yield position key, move and results of each continuation below a node of the book."""
    key = position_key(game, options, position) if node else 0
    for text, (*results, below) in node.items():
        yield key, text, results
        if below:
            seat = position.to_act[0]
            after = position.after(seat, position.read(seat, text))
            yield from continuations(game, options, after, below)
