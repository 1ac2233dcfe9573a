"""A recovery code is random and known by its hash; codes of before keep working until they are used or replaced.

Revision ID: 0009
Revises: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column for the hash, and its index."""
    op.add_column("token", sa.Column("digest", sa.String(), nullable=True))
    op.create_index("ix_token_digest", "token", ["digest"])


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_token_digest", table_name="token")
    op.drop_column("token", "digest")
