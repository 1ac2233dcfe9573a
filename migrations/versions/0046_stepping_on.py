"""A setting: show the next game after a move on a page.

Revision ID: 0046
Revises: 0045
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has chosen it yet."""
    op.add_column("person", sa.Column("steps_on", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("person", "steps_on")
