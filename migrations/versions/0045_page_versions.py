"""Versions of pages: how often what each part of a page shows has changed.

Revision ID: 0045
Revises: 0044
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of counters; a part without a row has never changed."""
    op.create_table(
        "page_version",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("part", sa.String(length=16), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "person_id", "part"),
    )


def downgrade() -> None:
    """Take it away."""
    op.drop_table("page_version")
