"""A robot explains its first moves in games that teach.

Revision ID: 0028
Revises: 0027
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("match", sa.Column("teaches", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("match", "teaches")
