"""Programs make webhooks, which end with the token that made them.

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
    """Add the column."""
    op.add_column("webhook", sa.Column("token_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("webhook", "token_id")
