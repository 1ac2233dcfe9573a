"""Final ranks of entrants, which the page of a member shows.

Revision ID: 0049
Revises: 0048
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("tournament_entrant", sa.Column("rank", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("tournament_entrant", "rank")
