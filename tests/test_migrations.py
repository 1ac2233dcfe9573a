"""The migrations make exactly the tables that the code knows."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from correspondence.core import db
from tests.post import fresh_database


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_end_where_the_models_stand(kind, request, tmp_path):
    url = f"sqlite:///{tmp_path}/x.db"
    if kind == "postgresql":
        url = fresh_database(request.getfixturevalue("postgres_url"))
    engine = db.make_engine(url)
    db.prepare(engine)
    db.prepare(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()
