"""Refusals of us are noted by domain, failed letters are found, and answers to strangers are counted.

Revision ID: 0041
Revises: 0040
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_FAILED = sa.text("(state = 'failed' OR bounce IN ('block', 'hard'))")


def upgrade() -> None:
    """Add the columns, the index and the table. Points of bounces begin again, as they are counted in another way."""
    op.add_column("mail_domain", sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("mail_domain", sa.Column("refusal", sa.String(), nullable=False, server_default=""))
    op.add_column("mail_domain", sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_letter_failed", "letter", ["due_at"], sqlite_where=_FAILED, postgresql_where=_FAILED)
    op.create_table(
        "stranger_answer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("is_asked", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_stranger_answer_at", "stranger_answer", ["at", "is_asked", "domain"])
    op.execute("UPDATE address SET bounce_score = 0, bounced_at = NULL")


def downgrade() -> None:
    """Take them away; the points stay as they are."""
    op.drop_table("stranger_answer")
    op.drop_index("ix_letter_failed", table_name="letter")
    for name in ("accepted_at", "refusal", "refused_at"):
        op.drop_column("mail_domain", name)
