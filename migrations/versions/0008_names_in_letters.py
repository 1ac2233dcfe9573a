"""A letter keeps the names that stand beside its addresses in From and Reply-To.

Letters of before have none and keep the name of the service.

Revision ID: 0008
Revises: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_COLUMNS = ("from_name", "reply_name")


def upgrade() -> None:
    """Add the columns."""
    for name in _COLUMNS:
        op.add_column("letter", sa.Column(name, sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    """Take them away."""
    for name in _COLUMNS:
        op.drop_column("letter", name)
