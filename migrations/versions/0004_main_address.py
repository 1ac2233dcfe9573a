"""A person may have several addresses, and letters go to the main one; whoever has joined keeps their first as main.

Revision ID: 0004
Revises: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and mark the first address of each person."""
    op.add_column("address", sa.Column("is_main", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("UPDATE address SET is_main = TRUE WHERE id IN (SELECT MIN(id) FROM address GROUP BY person_id)")


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("address", "is_main")
