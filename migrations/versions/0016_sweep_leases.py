"""A sweep that only one worker may run at a time is leased.

Revision ID: 0016
Revises: 0015
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    text = sqlmodel.sql.sqltypes.AutoString
    op.create_table(
        "sweep_lease",
        sa.Column("name", text(), nullable=False),
        sa.Column("holder", text(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Take it away."""
    op.drop_table("sweep_lease")
