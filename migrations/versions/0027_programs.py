"""Members say that a program plays for them.

Revision ID: 0027
Revises: 0026
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("is_program", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("person", "is_program")
