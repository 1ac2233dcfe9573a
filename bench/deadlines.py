"""Games whose time runs out at the same moment: `python -m bench.deadlines [GAMES] [--database KIND] [--workers N]`.

2,000 games unless told, of 200 members, on both kinds of database unless told. The sweeps of so many workers, one unless
told, end them all: each is lost, both ratings move, and both players get a letter. Before that they remind as many
players at once. Said are seconds by the clock and of the processors of all workers, statements and commits for a game,
and how busy the machine was. One worker is this process, several are processes of their own, as a service has them.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine, event
from sqlmodel import col, func, select

from bench import postgres
from bench.copies import filling, insert_copies, number_copies
from correspondence.accounts.accounts import person_by_handle
from correspondence.accounts.joining import confirm_join, request_join
from correspondence.core import db, schema
from correspondence.core.config import Settings, with_defaults
from correspondence.core.db import transaction
from correspondence.core.runtime import Runtime, utc_now
from correspondence.core.time_control import per_move
from correspondence.matchmaking.challenges import accept, challenge
from correspondence.models import By, Heartbeat, Letter, Match, Move, Player, Rating, Seed
from correspondence.models import Token as TokenRow
from correspondence.models.loading import players_of
from correspondence.ops import worker
from correspondence.play import matches

GAMES, PEOPLE = 2_000, 200
GOAL = 20.0
"""Within how many seconds so many games are to be over."""

LONGEST = 600.0
"""For how many seconds a worker is waited for."""

OPENING = ("c3/f2=B", "c6/a7=B")
SPAN = timedelta(days=3)


class Club:
    """So many games in play, at a move of the same player since the same moment, on three days a move."""

    def __init__(self, folder: Path, games: int, database_url: str = "", people: int = PEOPLE) -> None:
        settings = Settings(instance_dir=str(folder), secret_key="a key", database_url=database_url)
        self.settings = with_defaults(settings)
        self.engine: Engine = db.make_engine(self.settings.database_url)
        schema.prepare(self.engine)
        self.began, self.games, self.people = utc_now() - SPAN, games, people
        for number in range(people):
            self._join(f"member{number}")
        self._play()
        self._copy(games - 1)

    def _join(self, handle: str) -> None:
        with transaction(self.engine) as session:
            request_join(session, handle, f"{handle}@example.org", now=self.began)
            person = confirm_join(session, max(session.exec(select(TokenRow.id))), now=self.began)
            person.vacation_hours_left = 0  # else a late player takes a day of vacation
            session.add(person)

    def _play(self) -> None:
        with transaction(self.engine) as session:
            one, other = (person_by_handle(session, f"member{number}") for number in (0, 1))
            assert one is not None and other is not None
            seek = challenge(
                session, one, other.handle, "proteus-dice", {}, time_control=per_move(SPAN), seat=0, now=self.began
            )
            accept(session, other, seek.id, now=self.began, rng=random.Random(1))
        for seat, move in enumerate(OPENING):
            with transaction(self.engine) as session:
                matches.make_move(session, players_of(session, 1)[seat], move, now=self.began, by=By.WEB)

    def _copy(self, games: int) -> None:
        with filling(self.engine) as session:
            first = max(session.exec(select(TokenRow.id))) + 1
            white, black = (player.token_id for player in players_of(session, 1))
            number_copies(session, 2, games, [1])
            for table in (Move, Seed):
                insert_copies(session, table, "it.match_id = copy.model", match_id="copy.number")
            insert_copies(session, Match, "it.id = copy.model", id="copy.number")
            seats = self._seats(first, "it.seat")
            insert_copies(session, Player, "it.match_id = copy.model", token_id=seats.pop("token"), **seats)
            seats = self._seats(first, f"CASE it.id WHEN {white} THEN 0 ELSE 1 END")
            insert_copies(session, TokenRow, f"it.id IN ({white}, {black})", id=seats.pop("token"), **seats)

    def _seats(self, first_token: int, seat: str) -> dict[str, str]:
        """SQL for who sits at a seat of a copied game, no pair twice, and for their token."""
        person = f"1 + (copy.number + {seat} * (1 + copy.number / {self.people})) % {self.people}"
        token = f"{first_token} + 2 * (copy.number - 2) + {seat}"
        return {"match_id": "copy.number", "person_id": person, "token": token}


class Figures(NamedTuple):
    """Seconds by the clock on the wall and of the processor, statements and commits for a game, sweeps, and the load."""

    seconds: float
    processor: float
    statements: float
    commits: float
    sweeps: int
    load: float


def remind(club: Club, workers: int = 1) -> Figures:
    """What it takes to remind everybody whose reminder is due at once. Raises AssertionError where one got none."""
    figures = _swept(club, _asked(club, func.max(Match.remind_at)), workers)
    written = _asked(club, func.count(Letter.id), col(Letter.kind) == "reminder")
    assert written == club.games, f"{written} reminders for {club.games} games"
    return figures


def end(club: Club, workers: int = 1) -> Figures:
    """What it takes to end all games. Raises AssertionError where one goes on, or a rating or a letter is missing."""
    figures = _swept(club, _asked(club, func.max(Match.deadline)), workers)
    over = _asked(club, func.count(Match.id), col(Match.ended_at).is_not(None), col(Match.result) != "*")
    letters = _asked(club, func.count(Letter.id), col(Letter.kind) == "over")
    rated = _asked(club, func.sum(Rating.games))
    assert (over, letters, rated) == (club.games, 2 * club.games, 2 * club.games), (over, letters, rated)
    return figures


def _asked(club: Club, value: Any, *where: Any) -> Any:
    with db.reading(club.engine) as session:
        return session.exec(select(value).where(*where)).one()


def _swept(club: Club, due: datetime, workers: int) -> Figures:
    """Sweep until nothing is due any more, the service having run until then."""
    with transaction(club.engine) as session:
        session.merge(Heartbeat(id=1, at=due))
    if workers == 1:
        spent = [_sweep(club.settings, club.engine, due)]
    else:
        spent = _sweep_together(club, due, workers)
    sums = sum((one.counts for one in spent), Counter())
    each = (sums[name] / club.games for name in ("statements", "commits"))
    processor = sum(one.processor for one in spent)
    return Figures(max(one.seconds for one in spent), processor, *each, sums["sweeps"], os.getloadavg()[0])


class Spent(NamedTuple):
    """What one worker needed: seconds by the clock and of its processor, statements, commits and sweeps."""

    seconds: float
    processor: float
    counts: Counter[str]


def _sweep(settings: Settings, engine: Engine, due: datetime) -> Spent:
    runtime = Runtime(settings, engine, now=lambda: due + timedelta(seconds=1))
    with counted(engine) as counts:
        began, used = time.perf_counter(), time.process_time()
        while worker.sweep_clocks(runtime):
            counts["sweeps"] += 1
        return Spent(time.perf_counter() - began, time.process_time() - used, counts)


def _sweep_together(club: Club, due: datetime, workers: int) -> list[Spent]:
    """What processes need that begin at the same moment."""
    context = multiprocessing.get_context("spawn")
    start, spent = context.Barrier(workers), context.Queue()
    given = (club.settings, due, start, spent)
    processes = [context.Process(target=_sweep_here, args=given, daemon=True) for _number in range(workers)]
    for process in processes:
        process.start()
    found: list[Spent] = [spent.get(timeout=LONGEST) for _process in processes]
    for process in processes:
        process.join()
    return found


def _sweep_here(settings: Settings, due: datetime, start: Any, spent: Any) -> None:
    """Sweep in this process, as soon as the others are ready too."""
    logging.disable()
    engine = db.make_engine(settings.database_url)
    with db.reading(engine) as session:
        session.exec(select(Heartbeat)).all()
    start.wait(LONGEST)
    spent.put(_sweep(settings, engine, due))
    engine.dispose()


@contextmanager
def counted(engine: Engine) -> Iterator[Counter[str]]:
    """Counts `statements` and `commits` within the block."""
    counts: Counter[str] = Counter()

    def statement(*_given: object) -> None:
        counts["statements"] += 1

    def commit(*_given: object) -> None:
        counts["commits"] += 1

    event.listen(engine, "before_cursor_execute", statement)
    event.listen(engine, "commit", commit)
    try:
        yield counts
    finally:
        event.remove(engine, "before_cursor_execute", statement)
        event.remove(engine, "commit", commit)


def measure(kind: str, games: int = GAMES, people: int = PEOPLE, workers: int = 1) -> dict[str, Figures]:
    """Both figures on a database of this kind."""
    with tempfile.TemporaryDirectory() as folder, postgres.database(kind) as url:
        club = Club(Path(folder), games, url, people)
        try:
            return {"reminders": remind(club, workers), "games ended": end(club, workers)}
        finally:
            club.engine.dispose()


def main() -> None:
    """Measure what is asked for, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.deadlines")
    parser.add_argument("games", nargs="?", type=int, default=GAMES)
    parser.add_argument("--database", action="append", help="sqlite, postgresql or a URL; both kinds unless told")
    parser.add_argument("--workers", type=int, default=1, help="how many processes sweep; 1 unless told")
    options = parser.parse_args()
    logging.disable()
    table = Table("database", f"{options.games:,} due at once", "seconds", "CPU seconds", "statements each", "commits each",
                  "sweeps", "load", "goal")  # fmt: skip
    for kind in options.database or (postgres.SQLITE, postgres.POSTGRESQL):
        for name, found in measure(kind, options.games, workers=options.workers).items():
            goal = f"{GOAL:g} {'met' if found.seconds < GOAL else 'MISSED'}"
            cells = (found.seconds, found.processor, found.statements, found.commits, found.sweeps, found.load)
            table.add_row(kind.partition(":")[0], name, *(f"{value:.1f}" for value in cells), goal)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
