"""Second opinions on finished games are kept.

Revision ID: 0015
Revises: 0014
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
STATE = sa.Enum("queued", "running", "done", "failed", name="reviewstate", native_enum=False, length=16)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "review",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("asked_by_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", STATE, nullable=False),
        sa.Column("budget", sa.Integer(), nullable=False),
        sa.Column("judgements", TEXT(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", TEXT(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["asked_by_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("ix_review_asked", "review", ["asked_by_id", "asked_at"])
    due = sa.text("due_at IS NOT NULL")
    op.create_index("ix_review_due", "review", ["due_at"], sqlite_where=due, postgresql_where=due)
    op.create_table(
        "review_reader",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["review.match_id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("match_id", "person_id"),
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("review_reader")
    op.drop_table("review")
