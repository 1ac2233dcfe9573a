"""Accounts can be merged: the handle of one leads to the other.

Revision ID: 0030
Revises: 0029
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("merged_into_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("person", "merged_into_id")
