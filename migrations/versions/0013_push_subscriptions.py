"""Browsers can show notifications.

Revision ID: 0013
Revises: 0012
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    text = sqlmodel.sql.sqltypes.AutoString
    op.create_table(
        "push_subscription",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("session", text(), nullable=False),
        sa.Column("endpoint", text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("endpoint"),
    )
    op.create_index("ix_push_subscription_person_id", "push_subscription", ["person_id"])
    where = sa.text("due_at IS NOT NULL")
    op.create_index(
        "ix_push_subscription_due", "push_subscription", ["due_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Take it away."""
    op.drop_table("push_subscription")
