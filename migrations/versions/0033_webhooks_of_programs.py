"""Programs make webhooks, which end with the token that made them.

Revision ID: 0033
Revises: 0032
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("webhook", sa.Column("token_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("webhook", "token_id")
