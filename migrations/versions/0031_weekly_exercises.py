"""Members may get an exercise by mail each week.

Revision ID: 0031
Revises: 0030
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and the index by which the next letters are found."""
    op.add_column("person", sa.Column("exercise_letters", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("person", sa.Column("exercise_due_at", sa.DateTime(timezone=True), nullable=True))
    wants = sa.text("exercise_letters")
    op.create_index("ix_person_exercise", "person", ["exercise_due_at"], sqlite_where=wants, postgresql_where=wants)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_person_exercise", "person")
    op.drop_column("person", "exercise_due_at")
    op.drop_column("person", "exercise_letters")
