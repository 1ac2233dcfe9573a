"""Backup of everything in one file, and restoration into an empty installation.

The archive contains the database and the current keys: without them every reply address and link is dead.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path

from sqlalchemy import URL, Engine, inspect, make_url
from sqlmodel import Session, col, update

from correspondence.core import push_key, schema, signing
from correspondence.core.config import KEY_FILE, Settings
from correspondence.core.db import libpq_address, make_engine, read_only, transaction
from correspondence.models import Letter, LetterState, ServiceState
from correspondence.ops import epochs
from correspondence.ops.epochs import Epoch
from correspondence.outbound.delivery_log import RESTORED
from engines.refusal import Refusal

DROP_WAITING: list[Callable[[Session], None]] = []
"""Functions of features that drop waiting messages of a restored database."""

_DATABASES = {"sqlite": "correspondence.db", "postgresql": "correspondence.sql"}
_KEYS = (KEY_FILE, signing.KEY_FILE, push_key.KEY_FILE)
_TROUBLE = 300
"""Maximum length of a PostgreSQL error that is shown, in characters."""


class BackupError(Refusal):
    """Raised if a backup or restoration failed; str() says why, and nothing is half-done."""


def backup(settings: Settings, file: Path) -> None:
    """Write database and keys into a compressed tar archive that only its owner may read.

    The service may keep running. Raises BackupError.
    """
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "database"
        _dump(settings, dump)
        new = file.with_name(f"{file.name}.{os.getpid()}.part")
        try:
            _write(settings, dump, new)
            new.replace(file)
        except OSError as error:
            raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def _write(settings: Settings, dump: Path, file: Path) -> None:
    with (
        open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out,
        tarfile.open(fileobj=out, mode="w:gz") as archive,
    ):
        archive.add(dump, arcname=_DATABASES[_backend(settings)])
        _add_text(archive, KEY_FILE, settings.secret_key)  # the current key: SECRET_KEY may differ from the file
        for name in _KEYS[1:]:
            if (key := settings.instance / name).exists():
                archive.add(key, arcname=name)


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    member = tarfile.TarInfo(name)
    member.mode, member.size = 0o600, len(text.encode()) + 1
    archive.addfile(member, BytesIO(f"{text}\n".encode()))


def _backend(settings: Settings) -> str:
    return make_url(settings.database_url).get_backend_name()


def _dump(settings: Settings, file: Path) -> None:
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        if not Path(str(url.database)).exists():
            raise BackupError(f"There is no database at {url.database} yet: start the service first.")
        with closing(sqlite3.connect(str(url.database))) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
        return
    _postgresql("pg_dump", url, "--no-owner", "--file", str(file))


def _postgresql(program: str, url: URL, *words: str) -> None:
    """Run a PostgreSQL program on a database, with its password only in the environment."""
    if shutil.which(program) is None:
        raise BackupError(f"{program} is not installed; it comes with PostgreSQL's client programs.")
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    done = subprocess.run([program, *words, libpq_address(url)], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-_TROUBLE:]}")


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restoration: how many letters waited in the backup, and the new epoch."""

    waiting: int
    epoch: Epoch


def restore(settings: Settings, file: Path, *, now: datetime, resends: bool = False) -> Restored:
    """Restore a backup into an empty installation, and begin a new epoch (ops/epochs.py).

    Waiting letters may have been sent since the backup: they are marked as not sent, unless it `resends` them. So are
    messages to webhooks and letters of an announcement. Nothing is written if the installation is not empty or the
    archive is invalid. Raises BackupError.
    """
    with tempfile.TemporaryDirectory(dir=settings.instance) as unpacked:
        folder = Path(unpacked)
        _unpack(file, folder)
        _refuse_full(settings, folder)
        engine = _restore_database(settings, folder)
        try:
            restored = _go_on(engine, settings, now=now, resends=resends)
        finally:
            engine.dispose()
        for name in _KEYS:
            if (folder / name).exists():
                (folder / name).chmod(0o600)
                (folder / name).replace(settings.instance / name)
    return restored


def _unpack(file: Path, folder: Path) -> None:
    known = {*_KEYS, *_DATABASES.values()}
    try:
        with tarfile.open(file) as archive:
            for member in archive.getmembers():
                if member.name in known and member.isreg():
                    _copy_out(archive, member, folder / member.name)
    except (OSError, tarfile.TarError, EOFError) as error:
        raise BackupError(f"{file} is not a backup of this service: it cannot be unpacked.") from error
    if not (folder / KEY_FILE).exists():
        raise BackupError(f"{file} is not a backup of this service: it holds no {KEY_FILE}.")


def _copy_out(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    """Extract only a file's content from an archive; Debian 12's Python has no tar filters."""
    source = archive.extractfile(member)
    if source is not None:
        with source, target.open("wb") as out:
            shutil.copyfileobj(source, out)


def _refuse_full(settings: Settings, folder: Path) -> None:
    """Raise BackupError if the installation is not empty or its database is of another kind."""
    dump = _DATABASES[_backend(settings)]
    if not (folder / dump).exists():
        other = next((name for name in _DATABASES.values() if (folder / name).exists()), "no database")
        raise BackupError(
            f"The backup holds {other}, but DATABASE_URL needs {dump}: set DATABASE_URL to the same kind."
        )
    for name in _KEYS[1:]:
        if (settings.instance / name).exists():
            raise BackupError(f"{settings.instance} already holds {name}: restore into an empty INSTANCE_DIR.")
    own = settings.instance / KEY_FILE
    is_set = not own.exists() or settings.secret_key != own.read_text().strip()
    if is_set and settings.secret_key != (folder / KEY_FILE).read_text().strip():
        raise BackupError("SECRET_KEY is set to another key than the backup's: take it out of the settings.")


def _restore_database(settings: Settings, folder: Path) -> Engine:
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        target = Path(str(url.database))
        if target.exists():
            raise BackupError(f"The database {target} exists already: restore into an empty installation.")
        (folder / _DATABASES["sqlite"]).chmod(0o600)
        shutil.move(folder / _DATABASES["sqlite"], target)
        return make_engine(settings.database_url)
    engine = make_engine(settings.database_url)
    with read_only(engine).connect() as connection:
        if inspect(connection).get_table_names():
            raise BackupError("The database of DATABASE_URL is not empty: make a new one for the backup.")
    dump = folder / _DATABASES["postgresql"]
    _postgresql("psql", url, "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file", str(dump))
    return engine


def _go_on(engine: Engine, settings: Settings, *, now: datetime, resends: bool) -> Restored:
    """Migrate the tables, cancel waiting messages unless it `resends`, and begin a new epoch."""
    try:
        schema.prepare(engine)
    except schema.SchemaError as error:
        raise BackupError(str(error)) from error
    with transaction(engine) as session:
        waiting = _waiting_letters(session, resends=resends)
        if not resends:
            for drop in DROP_WAITING:
                drop(session)
            session.execute(update(ServiceState).values(letters_after=None))
        return Restored(waiting, epochs.begin(session, settings, now=now))


def _waiting_letters(session: Session, *, resends: bool) -> int:
    is_waiting = col(Letter.state).in_((LetterState.QUEUED, LetterState.SENDING, LetterState.UNCERTAIN))
    change = {"state": LetterState.QUEUED} if resends else {"state": LetterState.CANCELLED, "answer": RESTORED}
    return session.connection().execute(update(Letter).where(is_waiting).values(change)).rowcount
