"""Members who are operators see the operator's desk.

Revision ID: 0020
Revises: 0019
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("is_operator", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("person", "is_operator")
