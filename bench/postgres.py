"""A PostgreSQL server of a benchmark's own, on a socket in a temporary folder: `sqlite`, `postgresql`, or a URL is told."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.postgres import binaries, unprivileged

SQLITE, POSTGRESQL = "sqlite", "postgresql"

_DURABLE = "-c fsync=on -c max_connections=200 -c shared_buffers=512MB -c max_wal_size=4GB"
"""What a server is started with: its commits reach the disk, as an operator's do."""


class Server:
    """A cluster in a folder of its own, which can be stopped in every way and started again."""

    def __init__(self, settings: str = _DURABLE, place: Path | None = None) -> None:
        found = binaries()
        if found is None:
            raise SystemExit("PostgreSQL is not installed here (Debian: apt-get install postgresql).")
        self._programs, self._who, self._settings = found, unprivileged(), settings
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir=place))
        if self._who:
            os.chown(self.folder, self._who["user"], self._who["group"])
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")

    @property
    def url(self) -> str:
        """The DATABASE_URL of its only database."""
        return f"postgresql+psycopg://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        place = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' {self._settings}"
        self._run("pg_ctl", "-o", place, "-l", str(self.folder / "log"), "-w", "-t", "120", "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `fast` in order, `immediate` as if it had crashed."""
        self._run("pg_ctl", "-m", mode, "-w", "-t", "120", "stop")

    def is_up(self) -> bool:
        """Whether it runs; after a full disk it may have ended by itself."""
        command = [self._programs / "pg_ctl", "-D", self.folder / "rows", "status"]
        return subprocess.run(command, stdout=subprocess.DEVNULL, cwd=self.folder, **self._who).returncode == 0

    def remove(self) -> None:
        """Stop it and delete all that it kept."""
        try:
            if self.is_up():
                self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, "-D", self.folder / "rows", *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder,
            env={"PATH": os.defpath, "LC_ALL": "C"}, **self._who,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"PostgreSQL's {program} does not work here: {done.stderr.strip()[-200:]}")


@contextmanager
def database(kind: str) -> Iterator[str]:
    """The DATABASE_URL that is meant: empty for SQLite, of a server that lives as long as the block, or as it was told."""
    if kind != POSTGRESQL:
        yield "" if kind == SQLITE else kind
        return
    server = Server()
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


class Asked(NamedTuple):
    """What a command is asked to measure: numbers of games, and a kind of database."""

    games: list[int]
    database: str


def sizes_and_database(name: str, sizes: list[int]) -> Asked:
    """What the command line of a benchmark says: `[GAMES …] [--database KIND]`; these sizes unless it says others."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}")
    parser.add_argument(
        "games", nargs="*", type=int, help=f"how many games; {' and '.join(map(str, sizes))} unless told"
    )
    parser.add_argument("--database", default=SQLITE, help="sqlite, postgresql (a server of its own), or a URL")
    found = parser.parse_args()
    return Asked(found.games or sizes, found.database)
