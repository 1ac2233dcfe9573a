"""Databases for tests: empty tables copied from one file, compiled statements kept, fresh databases of PostgreSQL."""

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

from sqlalchemy import create_engine, event, make_url

from correspondence.core import db, schema, signing
from correspondence.core.config import Settings
from correspondence.fairness import keys
from correspondence.models import DailySeed

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""When every world of a test begins."""


def lay_tables(folder):
    """Put the tables, empty, where an installation in this folder has them: quicker than making them each time.

    Returns whether they were not there yet.
    """
    here = Path(folder) / "correspondence.db"
    here.parent.mkdir(parents=True, exist_ok=True)
    is_new = not here.exists()
    if is_new:
        shutil.copyfile(_tables(), here)
    _put_key(here)
    return is_new


def _put_key(database):
    """The key that signs is the same in every world, so that two worlds in which the same happens sign alike."""
    key = database.with_name(signing.KEY_FILE)
    if not key.exists():
        key.touch(mode=0o600)
        key.write_text(f"{'A' * 43}=\n")


def prepare_fairness(engine, settings):
    """List the key that signs, and make the deals of the next days, the same in every world."""
    with db.transaction(engine) as session:
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
    """Lay the tables on small pages, most of which are empty: each test copies them."""
    with closing(sqlite3.connect(database)) as connection:
        for line in ("journal_mode = DELETE", "page_size = 1024"):
            connection.execute(f"PRAGMA {line}")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")


_COMPILED = {}


def quicken(engine):
    """Let statements that an earlier test compiled serve this engine too, and let the disk take its time.

    Each test has a database of its own that dies with it. What must survive a crash is tested in processes of its own.
    """
    if engine.dialect.name not in _COMPILED:
        engine.connect().close()  # a dialect learns with the first connection of its engine which server it speaks to
    first = _COMPILED.setdefault(engine.dialect.name, engine)
    for way in (lambda it: it, db.read_only):
        way(engine).dialect, way(engine)._compiled_cache = way(first).dialect, way(first)._compiled_cache
    engine.dispose()
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=OFF"))
    return engine


def fresh_database(url):
    """A new database on this PostgreSQL server with the tables, empty: copied, which is quicker than making them."""
    return copied_database(url, _template(url))


def copied_database(url, model):
    """A new database on this PostgreSQL server with all that is in the database `model`, with which nobody is connected."""
    return _created(url, f" TEMPLATE {make_url(model).database}")


def empty_database(url):
    """A new database on this PostgreSQL server without any table."""
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
