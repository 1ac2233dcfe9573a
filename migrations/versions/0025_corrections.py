"""Results of games can be decided by an operator.

Revision ID: 0025
Revises: 0024
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_COLUMNS = ("corrected_for", "played_result", "played_reason")


def upgrade() -> None:
    """Add the columns."""
    for name in _COLUMNS:
        op.add_column("match", sa.Column(name, sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    """Take them away."""
    for name in _COLUMNS:
        op.drop_column("match", name)
