"""The sweep for games that are gone has indexes of its own: the games whose clocks run, and the marks it left.

Revision ID: 0012
Revises: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_match_clock_game", "match", "game", "deadline IS NOT NULL"),
    ("ix_clock_stop_mark", "clock_stop", "match_id", "player_id IS NULL AND begins_at = ends_at"),
)
"""The name of each, its table and column, and the rows that it is over."""


def upgrade() -> None:
    """Add the indexes."""
    for name, table, column, rows in INDEXES:
        op.create_index(name, table, [column], sqlite_where=sa.text(rows), postgresql_where=sa.text(rows))


def downgrade() -> None:
    """Take them away."""
    for name, table, _column, _rows in INDEXES:
        op.drop_index(name, table)
