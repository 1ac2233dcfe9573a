"""Games of a league that wait for a robot's judgement.

Revision ID: 0055
Revises: 0054
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

IS_TO_JUDGE = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "tournament_judging",
        sa.Column("pairing_id", sa.Integer(), sa.ForeignKey("tournament_pairing.id"), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("pairing_id"),
    )
    op.create_index(
        "ix_tournament_judging_due", "tournament_judging", ["due_at"],
        sqlite_where=IS_TO_JUDGE, postgresql_where=IS_TO_JUDGE,
    )  # fmt: skip


def downgrade() -> None:
    """Take it away."""
    op.drop_table("tournament_judging")
