"""A robot's evaluations of positions on analysis boards.

Revision ID: 0054
Revises: 0053
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and its indexes."""
    op.create_table(
        "evaluation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("found", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "person_id", "ply", "line"),
        sqlite_autoincrement=True,
    )
    condition = sa.text("due_at IS NOT NULL")
    op.create_index("ix_evaluation_due", "evaluation", ["due_at"], sqlite_where=condition, postgresql_where=condition)
    op.create_index("ix_evaluation_asked", "evaluation", ["person_id", "asked_at"])


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("evaluation")
