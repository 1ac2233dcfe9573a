"""Games that visitors play against a robot.

Revision ID: 0048
Revises: 0047
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "visitor_game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("site", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("entries", sa.String(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_visitor_game_site", "visitor_game", ["site"])
    op.create_index("ix_visitor_game_ends_at", "visitor_game", ["ends_at"])
    is_due = sa.text("due_at IS NOT NULL")
    op.create_index("ix_visitor_game_due", "visitor_game", ["due_at"], sqlite_where=is_due, postgresql_where=is_due)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("visitor_game")
