"""Sweeps that find nothing: `python -m bench.sweeps [GAMES] [--database KIND]`, 100,000 games in play unless told.

Every few seconds a worker asks what is due (correspondence/ops/due.py), so that is what an idle service costs, with the
sweeps that run now and then whatever is due. Each is timed beside commits of one small row (bench/mail.py), after all of
them ran once and found what there was; the others are timed too, though an idle worker does not run them. Pairing is left
out: it looks at open seeks, however few they are.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from bench import postgres
from bench.mail import Club, club_of
from correspondence import transport
from correspondence.core.runtime import Runtime
from correspondence.ops import worker
from correspondence.ops.due import SWEEPS, run_due

ROUNDS, COMMITS = 9, 50
LEFT_OUT = ("pairing", "near pairs")
LOOK = "what is due"


class Figures(NamedTuple):
    """The least seconds of each sweep by its name, of the look at what is due, and of a commit."""

    sweeps: dict[str, float]
    commit: float

    @property
    def commits(self) -> float:
        """What an idle worker runs, in commits: the look, and the sweeps that it does not decide about."""
        return sum(spent for name, spent in self.sweeps.items() if name not in SWEEPS) / self.commit


def measure(club: Club, rounds: int = ROUNDS) -> Figures:
    """Every sweep and some commits in turn, round after round, after two that do not count."""
    runtime = Runtime(club.settings, club.engine, now=lambda: club.now)
    posts = (transport.open_post(club.settings) for _post in range(2))
    jobs = worker.sweeps(runtime, *posts)
    wanted = {LOOK: lambda: run_due(runtime, _must_not_run)}
    wanted |= {name: job for name, job in jobs.items() if name not in LEFT_OUT}
    for job in (jobs[name] for _twice in range(2) for name in SWEEPS):
        job()
    spans: dict[str, list[float]] = {name: [] for name in wanted}
    commits = []
    for number in range(rounds + 2):
        times = {name: seconds(job) for name, job in wanted.items()}
        commit = club.commit(COMMITS) / COMMITS
        if number > 1:
            commits.append(commit)
            for name, spent in times.items():
                spans[name].append(spent)
    return Figures({name: min(spent) for name, spent in spans.items()}, min(commits))


def _must_not_run(name: str) -> None:
    raise AssertionError(f"the sweep of {name} still finds something")


def seconds(job: Callable[[], Any]) -> float:
    """How long it takes, once."""
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def table_of(figures: Figures) -> Table:
    """The figures as a table."""
    table = Table("empty sweep", "ms", "in commits")
    for name, spent in figures.sweeps.items():
        table.add_row(name, f"{spent * 1000:.2f}", f"{spent / figures.commit:.2f}")
    table.add_row("an idle worker", f"{figures.commits * figures.commit * 1000:.2f}", f"{figures.commits:.2f}")
    return table


def main(sizes: list[int], database: str) -> None:
    """Measure services with so many games in play, and print the tables."""
    logging.disable()
    for games in sizes:
        with tempfile.TemporaryDirectory() as folder, postgres.database(database) as url:
            club = club_of(Path(folder), games, url)
            Console(width=140).print(table_of(measure(club)))
            club.engine.dispose()


if __name__ == "__main__":
    main(*postgres.sizes_and_database("bench.sweeps", [100_000]))
