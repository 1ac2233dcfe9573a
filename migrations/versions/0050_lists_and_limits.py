"""Lists of games as members like them, their own limits, and questions about old seeks.

Revision ID: 0050
Revises: 0049
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the seekers of open seeks are asked when these end, as before."""
    op.add_column("person", sa.Column("list_keys", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("person", sa.Column("list_view", sa.String(), server_default="", nullable=False))
    op.add_column("person", sa.Column("games_limit", sa.Integer(), nullable=True))
    op.add_column("directory_listing", sa.Column("shows_seen", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("seek", sa.Column("ask_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(sa.text("UPDATE seek SET ask_at = expires_at WHERE state = 'open' AND opponent_id IS NULL"))
    condition = sa.text("state = 'open' AND ask_at IS NOT NULL")
    op.create_index("ix_seek_ask_at", "seek", ["ask_at"], postgresql_where=condition, sqlite_where=condition)
    op.add_column("pairing", sa.Column("reopens", sa.Boolean(), server_default=sa.false(), nullable=False))
    marked = sa.text("reopens")
    op.create_index("ix_pairing_reopens", "pairing", ["id"], postgresql_where=marked, sqlite_where=marked)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_pairing_reopens", "pairing")
    op.drop_column("pairing", "reopens")
    op.drop_index("ix_seek_ask_at", "seek")
    op.drop_column("seek", "ask_at")
    op.drop_column("directory_listing", "shows_seen")
    for name in ("games_limit", "list_view", "list_keys"):
        op.drop_column("person", name)
