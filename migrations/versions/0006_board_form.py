"""Each person has a form in which boards are shown: pictures until they choose another.

Revision ID: 0006
Revises: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("board", sa.String(), server_default="picture", nullable=False))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("person", "board")
