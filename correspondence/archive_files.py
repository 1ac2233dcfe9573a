"""Files that leave the house: the record of a match, and a backup of everything."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url
from sqlmodel import Session

from correspondence import records
from correspondence.config import KEY_FILE, Settings
from correspondence.course import moves_of, persons_of, players_of
from correspondence.models import Match


class BackupError(Exception):
    """A backup that could not be made; str() says why."""


def export(session: Session, number: int, settings: Settings) -> str | None:
    """The whole record of a match, as its operator may have it; None where there is no such match."""
    match = session.get(Match, number)
    if match is None:
        return None
    players = players_of(session, number)
    handles = [person.handle for person in persons_of(session, players)]
    site = f"{settings.base_url}/games/{number}"
    return records.write_record(match, moves_of(session, number), handles, None, site=site)


def backup(settings: Settings, file: Path) -> None:
    """Write database and key into a compressed tar archive that only its owner may read.

    The service may go on running. Raises BackupError.
    """
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "database"
        _dump(settings, dump)
        try:
            with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out, \
                    tarfile.open(fileobj=out, mode="w:gz") as archive:
                archive.add(dump, arcname=_name(settings))
                if (key := settings.instance / KEY_FILE).exists():
                    archive.add(key, arcname=KEY_FILE)
        except OSError as error:
            raise BackupError(f"{file} cannot be written: {error.strerror}.") from error


def _name(settings: Settings) -> str:
    return "correspondence.db" if settings.database_url.startswith("sqlite") else "correspondence.sql"


def _dump(settings: Settings, file: Path) -> None:
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(url.database))) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
        return
    if shutil.which("pg_dump") is None:
        raise BackupError("pg_dump is not installed; it comes with PostgreSQL's client programs.")
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    done = subprocess.run(["pg_dump", "--file", str(file), address], capture_output=True, text=True)
    if done.returncode:
        raise BackupError(f"pg_dump failed: {done.stderr.strip()[-300:]}")
