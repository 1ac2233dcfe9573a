"""PostgreSQL with a standby for tests of failover: the primary dies, and the standby takes over."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine

from tests.postgres import QUICK, binaries, unprivileged


class Pair:
    """A primary and its standby, each on a socket in a separate folder."""

    def __init__(self, folder: Path, programs: Path, who: dict) -> None:
        self._folder, self._programs, self._who = folder, programs, who
        for name in ("primary", "standby"):
            (folder / f"{name}.socket").mkdir(mode=0o755)
            if who:
                os.chown(folder / f"{name}.socket", who["user"], who["group"])

    def url(self, name: str) -> str:
        """Return the database URL of one server."""
        return f"postgresql+psycopg://postgres@/postgres?host={self._folder / name}.socket"

    def url_of_both(self) -> str:
        """Return a database URL of both servers, which connects to the one that accepts writes."""
        hosts = "&".join(f"host={self._folder / name}.socket" for name in ("primary", "standby"))
        return f"postgresql+psycopg://postgres@/postgres?{hosts}&target_session_attrs=read-write"

    def begin(self) -> None:
        """Start the primary, copy it, and start the copy as its standby."""
        self._run("initdb", "-D", "primary", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._start("primary")
        primary = str(self._folder / "primary.socket")
        self._run("pg_basebackup", "-D", "standby", "-R", "-c", "fast", "-U", "postgres", "-h", primary, "--no-sync")
        self._start("standby")

    def catch_up(self) -> None:
        """Wait until the standby has replayed all writes of the primary."""
        with self._asking("primary") as primary:
            written = primary.exec_driver_sql("SELECT pg_current_wal_insert_lsn()").scalar_one()
        until = time.monotonic() + 30
        with self._asking("standby") as standby:
            while not standby.exec_driver_sql(f"SELECT pg_last_wal_replay_lsn() >= '{written}'").scalar_one():
                assert time.monotonic() < until, "the standby does not follow"
                time.sleep(0.05)

    def synchronise(self) -> None:
        """Turn on synchronous replication, as docs/deploy.md describes."""
        with self._asking("primary") as primary:
            primary.exec_driver_sql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
            primary.exec_driver_sql("ALTER ROLE postgres SET synchronous_commit = on")  # overrides QUICK
            primary.exec_driver_sql("SELECT pg_reload_conf()")
            while primary.exec_driver_sql(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'"
            ).scalar_one() == 0:  # fmt: skip
                time.sleep(0.05)

    def fall_behind(self) -> None:
        """Disconnect the standby from the primary."""
        with self._asking("standby") as standby:
            standby.exec_driver_sql("ALTER SYSTEM SET primary_conninfo = ''")
            standby.exec_driver_sql("SELECT pg_reload_conf()")
            while standby.exec_driver_sql("SELECT count(*) FROM pg_stat_wal_receiver").scalar_one():
                time.sleep(0.05)

    def fail_over(self) -> None:
        """Kill the primary and promote the standby."""
        self._run("pg_ctl", "-D", "primary", "-m", "immediate", "-w", "stop")
        self._run("pg_ctl", "-D", "standby", "-w", "promote")

    def end(self) -> None:
        """Stop both servers."""
        for name in ("primary", "standby"):
            if (self._folder / name / "postmaster.pid").exists():
                self._run("pg_ctl", "-D", name, "-m", "immediate", "-w", "stop")

    @contextmanager
    def _asking(self, name: str) -> Iterator[Connection]:
        engine = create_engine(self.url(name), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            yield connection
        engine.dispose()

    def _start(self, name: str) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder / name}.socket' {QUICK}"
        self._run("pg_ctl", "-D", name, "-o", options, "-l", f"{name}.log", "-w", "start")

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self._folder,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            **self._who,
        )
        if done.returncode:
            pytest.skip(f"PostgreSQL's {program} does not work here: {done.stderr.strip()[-200:]}")


@contextmanager
def pair() -> Iterator[Pair]:
    """Context manager: a primary and its standby; skips if PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    who, folder = unprivileged(), Path(tempfile.mkdtemp(prefix="pair"))
    if who:
        os.chown(folder, who["user"], who["group"])
    both = Pair(folder, programs, who)
    try:
        both.begin()
        yield both
    finally:
        both.end()
        shutil.rmtree(folder, ignore_errors=True)
