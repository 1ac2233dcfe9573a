"""Moves and pairings are no longer found by indexes that are the beginnings of others, which each move wrote for nothing.

Revision ID: 0036
Revises: 0035
"""

from __future__ import annotations

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

SERVED = (("move", "match_id"), ("pairing", "seek_id"))
"""Tables and columns: rows are unique by this column and another."""


def upgrade() -> None:
    """Drop the indexes over one column."""
    for table, column in SERVED:
        op.drop_index(f"ix_{table}_{column}", table_name=table)


def downgrade() -> None:
    """Make them again."""
    for table, column in SERVED:
        op.create_index(f"ix_{table}_{column}", table, [column])
