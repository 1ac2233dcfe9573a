"""Checks of the machine and database server against the guide (docs/deploy.md 1 and 3)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

from sqlalchemy import text
from sqlmodel import Session

from correspondence.core.config import Settings
from correspondence.core.db import CONNECTIONS

PATIENCE = 5.0
"""Time limit for the system's answer, in seconds."""


def time_problem() -> str:
    """Return a sentence if no time server sets this machine's clock; empty if one may."""
    program = shutil.which("timedatectl")
    if program is None:
        return ""
    question = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(question, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    is_alone = done.stdout.strip() == "no"
    return (
        "No time server sets this machine's clock, which decides games: timedatectl set-ntp true." if is_alone else ""
    )


def postgresql_problems(session: Session, settings: Settings) -> Iterator[str]:
    """Yield the faults in PostgreSQL's configuration for these settings, as sentences."""
    encoding = _shown(session, "server_encoding")
    if encoding != "UTF8":
        yield f"The database is in {encoding}, which lacks characters that people use: create it again with --encoding UTF8."
    admitted = int(_shown(session, "max_connections")) - int(_shown(session, "superuser_reserved_connections"))
    needed = CONNECTIONS * (settings.web_processes + 2)
    if needed > admitted:
        yield (
            f"PostgreSQL admits {admitted} connections, but {settings.web_processes} processes of pages, a listener and a "
            f"worker may open {needed}, and each further worker {CONNECTIONS}: raise max_connections in postgresql.conf."
        )
    if settings.web_threads > CONNECTIONS:
        yield (
            f"WEB_THREADS is {settings.web_threads}, but a process opens {CONNECTIONS} connections to PostgreSQL at most, "
            f"so requests wait for each other: set {CONNECTIONS} or less, and more WEB_PROCESSES."
        )


def _shown(session: Session, name: str) -> str:
    return str(session.connection().execute(text(f"SHOW {name}")).scalar_one())
