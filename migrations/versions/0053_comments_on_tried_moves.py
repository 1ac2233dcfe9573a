"""Comments on the moves of an analysis.

Revision ID: 0053
Revises: 0052
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for the moves that are there."""
    op.add_column("variation", sa.Column("comment", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    """Remove the column."""
    with op.batch_alter_table("variation") as table:
        table.drop_column("comment")
