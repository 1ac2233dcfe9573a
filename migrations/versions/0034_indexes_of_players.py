"""A player is found by game and person, and games whose time is up by game and moment, without statistics of the tables.

The indexes over one of the two columns are the beginnings of others.

Revision ID: 0034
Revises: 0033
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

HAS_CLOCK = sa.text("deadline IS NOT NULL")
"""Which matches the index of clocks is about."""


def upgrade() -> None:
    """Make the indexes over two columns, and drop those over one."""
    op.create_index("ix_player_person", "player", ["match_id", "person_id"])
    for column in ("match_id", "person_id"):
        op.drop_index(f"ix_player_{column}", table_name="player")
    _replace_clocks("game", "deadline")


def downgrade() -> None:
    """Make those over one again."""
    _replace_clocks("game")
    for column in ("match_id", "person_id"):
        op.create_index(f"ix_player_{column}", "player", [column])
    op.drop_index("ix_player_person", table_name="player")


def _replace_clocks(*columns: str) -> None:
    op.drop_index("ix_match_clock_game", table_name="match")
    op.create_index("ix_match_clock_game", "match", list(columns), sqlite_where=HAS_CLOCK, postgresql_where=HAS_CLOCK)
