"""What operators switch for the whole service, and whether a letter brings their announcements.

Revision ID: 0029
Revises: 0028
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column."""
    op.create_table(
        "service_state",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("read_only_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("read_only_for", sa.String(), nullable=False),
        sa.Column("mail_paused_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mail_paused_for", sa.String(), nullable=False),
        sa.Column("announcement_id", sa.Integer(), nullable=True),
        sa.Column("announcement_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("english", sa.String(), nullable=False),
        sa.Column("italian", sa.String(), nullable=False),
        sa.Column("letters_after", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["announcement_id"], ["operator_act.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.add_column("person", sa.Column("announcement_letters", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    """Take them away."""
    op.drop_column("person", "announcement_letters")
    op.drop_table("service_state")
