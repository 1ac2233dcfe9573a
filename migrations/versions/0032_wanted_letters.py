"""Letters say when their reader wants them.

Revision ID: 0032
Revises: 0031
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of letters that are there it is unknown."""
    op.add_column("letter", sa.Column("wanted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("letter", "wanted_at")
