"""Old pictures, words, messages and tokens are found by indexes, and what named a diagram outlives it.

Revision ID: 0019
Revises: 0018
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_letter_words", "letter", "created_at", "text != ''"),
    ("ix_letter_picture", "letter", "created_at", "picture != ''"),
    ("ix_letter_reply_token", "letter", "reply_token_id", "reply_token_id IS NOT NULL"),
    ("ix_letter_link_token", "letter", "link_token_id", "link_token_id IS NOT NULL"),
    ("ix_letter_stop_token", "letter", "stop_token_id", "stop_token_id IS NOT NULL"),
    ("ix_player_token", "player", "token_id", "token_id IS NOT NULL"),
    ("ix_token_ends", "token", "expires_at", "match_id IS NOT NULL AND expires_at IS NOT NULL"),
    ("ix_inbound_received", "inbound", "received_at", None),
)
"""Name, table, column and condition of each index."""


def upgrade() -> None:
    """Add the column and the indexes."""
    names = sa.Column("diagram_names", sqlmodel.sql.sqltypes.AutoString(), server_default="", nullable=False)
    op.add_column("letter", names)
    for name, table, column, where in INDEXES:
        condition = sa.text(where) if where else None
        op.create_index(name, table, [column], sqlite_where=condition, postgresql_where=condition)


def downgrade() -> None:
    """Take them away."""
    for name, table, _column, _where in reversed(INDEXES):
        op.drop_index(name, table)
    op.drop_column("letter", "diagram_names")
