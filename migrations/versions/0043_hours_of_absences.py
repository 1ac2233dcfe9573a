"""Absences keep how many hours they were charged for, which may be fewer than those up to their midnight.

Revision ID: 0043
Revises: 0042
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; absences announced before have no value."""
    op.add_column("vacation", sa.Column("hours", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("vacation", "hours")
