"""Migrations run on the connection that `correspondence.core.schema.prepare` hands over."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from correspondence import models

assert models  # its tables register themselves in the metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
