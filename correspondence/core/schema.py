"""Database schema: migrate at start, or refuse a database that this version cannot use.

The table `alembic_version` names the last migration applied. Released migrations are frozen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from correspondence.core.config import SettingError
from correspondence.core.db import read_only
from correspondence.core.resources import folder

MIGRATIONS = folder("migrations")
"""The folder of the migrations."""

_LOCK = 0x636F7272
"""Id of the advisory lock that lets one process at a time migrate PostgreSQL."""

_COLUMNS = {
    "sqlite": "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'",
    "postgresql": (
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
    ),
}


class SchemaError(SettingError):
    """Raised if the database does not match this version; str() says how, and what to do."""


def prepare(engine: Engine, *, migrates: bool = True) -> str | None:
    """Migrate the database to the newest revision; without `migrates`, only check its revision.

    Returns the previous revision; None if the database was empty. If several processes start at once, one migrates
    and the others wait. Raises SchemaError if the database is unreachable, newer, older without `migrates`, or lacks
    columns.
    """
    with _answering():
        revision = revision_of(engine)
        _refuse_unknown(revision)
        if revision != newest_revision():
            if not migrates:
                raise SchemaError(_old(revision))
            _migrate(engine)
        _refuse_incomplete(engine)
    return revision


def revision_of(engine: Engine) -> str | None:
    """Return the last migration applied to this database; None if it is empty.

    It is read without Alembic, whose import takes longer than the rest of the start.
    """
    with read_only(engine).connect() as connection:
        return _revision(connection)


def newest_revision() -> str:
    """Return the last migration of this version."""
    return _revisions()[-1]


def differences(engine: Engine) -> list[str]:
    """Describe how tables, columns and indexes differ from the code, in a few words each; slow."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with read_only(engine).connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)
    return [_in_words(difference) for difference in found]


def _in_words(difference: object) -> str:
    first = difference[0] if isinstance(difference, (tuple, list)) and difference else difference
    if isinstance(first, tuple):
        return _in_words(first)
    words = [getattr(part, "name", part) for part in difference[1:]] if isinstance(difference, (tuple, list)) else []
    return " ".join(str(word) for word in (first, *words) if word is not None)


@contextmanager
def _answering() -> Iterator[None]:
    """Context manager: raise SchemaError if the database is unreachable or unusable."""
    try:
        yield
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise SchemaError(f"The database of DATABASE_URL does not answer: {reason.rstrip('.?')}.") from error


def _revisions() -> list[str]:
    return sorted(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def _refuse_unknown(revision: str | None) -> None:
    if revision is not None and revision not in _revisions():
        raise SchemaError(
            f"The database is of revision {revision}, which this version does not know: it knows those up to "
            f"{newest_revision()}. Install the newer version again, or restore a backup from before it."
        )


def _old(revision: str | None) -> str:
    if revision is None:
        return "The database is empty. Run: flask migrate"
    needed = newest_revision()
    return (
        f"The database is of revision {revision}, and this version needs {needed}. Back it up, then run: flask migrate"
    )


def _migrate(engine: Engine) -> None:
    """Run the migrations in one transaction, so that other processes see all or nothing."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # on SQLite the transaction already holds the lock
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        if _revision(connection) != newest_revision():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _refuse_incomplete(engine: Engine) -> None:
    with read_only(engine).connect() as connection:
        there = {(table, column) for table, column in connection.execute(text(_COLUMNS[connection.dialect.name]))}
    expected = {(table.name, column.name) for table in SQLModel.metadata.tables.values() for column in table.columns}
    missing = sorted(f"{table}.{column}" for table, column in expected - there)
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise SchemaError(
            f"The database says that it is of revision {newest_revision()}, but it lacks {', '.join(missing[:3])}"
            f"{more}. It was made by a version that was never released: restore a backup, or begin with a new one."
        )
