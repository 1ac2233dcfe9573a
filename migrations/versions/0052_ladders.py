"""Leagues and ladders: one of each for every game; challenges, and earlier stays on a ladder.

Revision ID: 0052
Revises: 0051
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

IS_PERPETUAL = sa.text("format IN ('league', 'ladder')")


def upgrade() -> None:
    """Add the table, the columns and the index."""
    op.create_table(
        "tournament_stay",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entrant_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_stay_entrant", "tournament_stay", ["entrant_id"])
    op.add_column("tournament_pairing", sa.Column("challenger_seat", sa.Integer(), nullable=True))
    op.add_column("tournament_pairing", sa.Column("began_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_tournament_perpetual", "tournament", ["format", "game"], unique=True,
        sqlite_where=IS_PERPETUAL, postgresql_where=IS_PERPETUAL,
    )  # fmt: skip


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_tournament_perpetual", "tournament")
    op.drop_column("tournament_pairing", "began_at")
    op.drop_column("tournament_pairing", "challenger_seat")
    op.drop_table("tournament_stay")
