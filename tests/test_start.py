"""What a start loads: nothing that most processes never need."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.types import SchemaType

from correspondence.core import schema
from correspondence.core.config import SettingError, Settings, with_defaults
from correspondence.core.garbage_collection import NEW_OBJECTS, without_garbage_collection
from correspondence.models.columns import Table
from correspondence.ops.serve import address_lines
from tests.test_migrations import upgraded

HEAVY = (
    "alembic",
    "mako",
    "rustworkx",
    "numpy",
    "icalendar",
    "holidays",
    "reportlab",
    "segno",
    "PIL",
    "rich",
    "pygments",
    "dkim",
    "spectree",
    "pyvips",
    "cryptography",
    "ua_parser",
    "prometheus_client",
    "sqlalchemy.dialects.postgresql",
)
"""Libraries that take long to load, or much memory, and that only the function that needs them imports."""

LOADED = "import sys, app, correspondence.ops.serve; print(*sorted(set(sys.modules) & set(sys.argv[1:])))"

COLLECTED = "import gc, app; print(gc.isenabled(), gc.get_freeze_count() > 100_000, gc.get_threshold()[0])"


def addresses(**values):
    return address_lines(with_defaults(Settings(mail_send="maildir:sent", **values)))


def test_a_start_says_where_letters_link_to_if_nothing_is_served_there(tmp_path):
    elsewhere = addresses(instance_dir=str(tmp_path), http_listen="127.0.0.1:5077")
    assert "http://127.0.0.1:5000 in letters, by BASE_URL; but they are served at port 5077" in elsewhere
    for fitting in ({}, {"base_url": "http://localhost:5000"}, {"base_url": "https://club.example"}):
        assert "BASE_URL" not in addresses(instance_dir=str(tmp_path), **fitting)


def started(folder, program, *words):
    """What a program prints that imports `app`."""
    settings = {**os.environ, "INSTANCE_DIR": str(folder), "MAIL_LISTEN": ""}
    line = [sys.executable, "-c", program, *words]
    done = subprocess.run(line, env=settings, cwd=Path(schema.MIGRATIONS).parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_by_a_start(folder):
    """Which of the heavy libraries `app` has loaded, once it could serve."""
    return started(folder, LOADED, *HEAVY).split()


def test_a_start_loads_no_heavy_library_once_the_tables_are_up_to_date(tmp_path):
    assert "alembic" in loaded_by_a_start(tmp_path)
    assert loaded_by_a_start(tmp_path) == []


def test_columns_of_the_same_type_share_one_object_for_it_unless_it_belongs_to_its_column():
    types = {column.type for table in Table.metadata.tables.values() for column in table.columns}
    shared = [repr(one) for one in types if not isinstance(one, SchemaType)]
    assert len(shared) == len(set(shared)) > 3


def test_tables_of_an_older_revision_are_migrated_at_the_next_start(tmp_path):
    engine = upgraded(tmp_path, "0011")
    schema.prepare(engine)
    with engine.connect() as connection:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert [file for file in (schema.MIGRATIONS / "versions").glob("*.py") if file.name > f"{revision}_~"] == []
    engine.dispose()


def test_what_a_start_loads_is_never_looked_through_for_garbage_and_all_else_now_and_then(tmp_path):
    assert started(tmp_path, COLLECTED).split() == ["True", "True", str(NEW_OBJECTS)]


def test_garbage_is_collected_again_where_a_start_fails():
    with pytest.raises(SettingError), without_garbage_collection():
        assert not gc.isenabled()
        raise SettingError("no start")
    assert gc.isenabled()
