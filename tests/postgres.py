"""A PostgreSQL server of the tests' own: a private cluster on a socket in a temporary folder."""

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
"""Who runs the server when the tests run as root, whom PostgreSQL refuses."""

QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""What lives as long as the tests need not survive a crash of the machine."""


def binaries():
    """The newest installed server's programs; None where there is no server."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[4]))
    found = installed[-1] if installed else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def unprivileged():
    """How to start programs as somebody else than root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    chosen = next((known[name] for name in USERS if name in known), None)
    if chosen is None:
        pytest.skip("PostgreSQL does not run as root, and there is no unprivileged user here")
    return {"user": chosen.pw_uid, "group": chosen.pw_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def postgres_url():
    """The URL of an empty database on a server that lives as long as the tests; skips where there is none."""
    with server() as url:
        yield url


@contextmanager
def server():
    """Context manager: the URL of an empty database on a server of its own; skips where there is none."""
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
