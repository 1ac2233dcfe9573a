"""What a start loads: no library that most processes never need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import text

from correspondence.core import schema
from correspondence.core.config import Settings, with_defaults
from correspondence.ops.serve import address_lines
from tests.test_migrations import upgraded

HEAVY = (
    "alembic",
    "mako",
    "networkx",
    "icalendar",
    "holidays",
    "reportlab",
    "segno",
    "PIL",
    "rich",
    "pygments",
    "dkim",
)
LOADED = "import sys, app; print(*sorted(set(sys.modules) & set(sys.argv[1:])))"


def addresses(**values):
    return address_lines(with_defaults(Settings(mail_send="maildir:sent", **values)))


def test_a_start_says_where_letters_link_to_if_nothing_is_served_there(tmp_path):
    elsewhere = addresses(instance_dir=str(tmp_path), http_listen="127.0.0.1:5077")
    assert "http://127.0.0.1:5000 in letters, by BASE_URL; but they are served at port 5077" in elsewhere
    for fitting in ({}, {"base_url": "http://localhost:5000"}, {"base_url": "https://club.example"}):
        assert "BASE_URL" not in addresses(instance_dir=str(tmp_path), **fitting)


def loaded_by_a_start(folder):
    """Which of the heavy libraries `app` has loaded, once it could serve."""
    settings = {**os.environ, "INSTANCE_DIR": str(folder), "MAIL_LISTEN": ""}
    words = [sys.executable, "-c", LOADED, *HEAVY]
    done = subprocess.run(words, env=settings, cwd=Path(schema.MIGRATIONS).parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_start_loads_no_heavy_library_once_the_tables_are_up_to_date(tmp_path):
    assert "alembic" in loaded_by_a_start(tmp_path)
    assert loaded_by_a_start(tmp_path) == []


def test_tables_of_an_older_revision_are_migrated_at_the_next_start(tmp_path):
    engine = upgraded(tmp_path, "0011")
    schema.prepare(engine)
    with engine.connect() as connection:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert [file for file in (schema.MIGRATIONS / "versions").glob("*.py") if file.name > f"{revision}_~"] == []
    engine.dispose()
