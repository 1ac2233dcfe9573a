"""Databases for tests: copied empty tables, cached statements, new PostgreSQL databases."""

from __future__ import annotations

import atexit
import secrets
import shutil
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

from sqlalchemy import create_engine, delete, event, make_url

from correspondence.core import db, schema, signing
from correspondence.core.config import Settings
from correspondence.fairness import keys
from correspondence.features.samples.tables import SampleSet
from correspondence.models import DailySeed

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""Start time of every test world."""


def lay_tables(folder):
    """Copy empty tables to the database of an installation in this folder.

    Returns whether they did not exist yet.
    """
    here = Path(folder) / "correspondence.db"
    here.parent.mkdir(parents=True, exist_ok=True)
    is_new = not here.exists()
    if is_new:
        shutil.copyfile(_tables(), here)
    _put_key(here)
    return is_new


def _put_key(database):
    """Store the same signing key in every world, so that equal records have equal signatures."""
    key = database.with_name(signing.KEY_FILE)
    if not key.exists():
        key.touch(mode=0o600)
        key.write_text(f"{'A' * 43}=\n")


def prepare_fairness(engine, settings):
    """Register the signing key and make the deals of the next days, the same in every world."""
    with db.transaction(engine) as session:
        session.execute(delete(SampleSet))  # tests begin without sample games
        keys.register(session, signing.signer_of(settings), today=START.date())
        for day in (START.date() + timedelta(days=ahead) for ahead in range(8)):
            session.merge(DailySeed(day=day, secret=sha256(day.isoformat().encode()).digest()))


@cache
def _tables():
    made = Path(tempfile.mkdtemp(prefix="tables")) / "correspondence.db"
    atexit.register(shutil.rmtree, made.parent, ignore_errors=True)
    _put_key(made)
    engine = db.make_engine(f"sqlite:///{made}")
    schema.prepare(engine)
    prepare_fairness(engine, Settings(instance_dir=str(made.parent)))
    engine.dispose()
    _make_small(made)
    return made


def _make_small(database):
    """Use small database pages, because most are empty and each test copies the file."""
    with closing(sqlite3.connect(database)) as connection:
        for line in ("journal_mode = DELETE", "page_size = 1024"):
            connection.execute(f"PRAGMA {line}")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")


_COMPILED = {}


def quicken(engine):
    """Share compiled statements with this engine, and turn off waiting for the disk.

    Each test has a separate, temporary database. Durability is tested in separate processes.
    """
    if engine.dialect.name not in _COMPILED:
        engine.connect().close()  # a dialect detects its server with the first connection of its engine
    first = _COMPILED.setdefault(engine.dialect.name, engine)
    for way in (lambda it: it, db.read_only):
        way(engine).dialect, way(engine)._compiled_cache = way(first).dialect, way(first)._compiled_cache
    engine.dispose()
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=OFF"))
    return engine


def fresh_database(url):
    """Copy a new database with empty tables on this PostgreSQL server; return its URL."""
    return copied_database(url, _template(url))


def copied_database(url, model):
    """Copy the database `model`, which must have no connections, on this PostgreSQL server."""
    return _created(url, f" TEMPLATE {make_url(model).database}")


def empty_database(url):
    """Create a new database without tables on this PostgreSQL server."""
    return _created(url, "")


@cache
def _template(url):
    made = empty_database(url)
    engine = db.make_engine(made)
    schema.prepare(engine)
    engine.dispose()
    return made


def _created(url, how):
    name = f"t{secrets.token_hex(6)}"
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}{how}")
    server.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)
