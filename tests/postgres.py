"""A private PostgreSQL server for tests: a cluster on a socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

USERS = ("postgres", "nobody")
"""Users to run the server if the tests run as root, which PostgreSQL refuses."""

QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""Settings for speed: test data need not survive a crash of the machine."""


def binaries():
    """Return the folder of the newest installed server's programs; None if there is none."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[4]))
    found = installed[-1] if installed else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def unprivileged():
    """Return the arguments that start a program as another user than root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    chosen = next((known[name] for name in USERS if name in known), None)
    if chosen is None:
        pytest.skip("PostgreSQL does not run as root, and there is no unprivileged user here")
    return {"user": chosen.pw_uid, "group": chosen.pw_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def postgres_url():
    """URL of an empty database on a server for the whole test run; skips without PostgreSQL."""
    with server() as url:
        yield url


@contextmanager
def server():
    """Context manager: start a server; yield the URL of an empty database. Skips without PostgreSQL."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    who, folder = unprivileged(), Path(tempfile.mkdtemp(prefix="pg"))
    if who:
        os.chown(folder, who["user"], who["group"])

    def run(program, *words):
        done = subprocess.run(
            [programs / program, *words],
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            **who,
        )
        if done.returncode:
            pytest.skip(f"PostgreSQL's {program} does not work here: {done.stderr.strip()[-200:]}")

    try:
        run("initdb", "-D", folder / "rows", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        quick = f"-c listen_addresses='' -c unix_socket_directories='{folder}' {QUICK}"
        run("pg_ctl", "-D", folder / "rows", "-o", quick, "-l", folder / "log", "-w", "start")
        yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        run("pg_ctl", "-D", folder / "rows", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
