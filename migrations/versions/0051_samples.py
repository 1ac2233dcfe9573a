"""Sample games: their marks, their openings, and whether a new installation loads them.

Revision ID: 0051
Revises: 0050
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; a database without people is new, and loads the samples."""
    op.create_table(
        "sample_set",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("next_batch", sa.Integer(), nullable=False),
        sa.Column("is_due", sa.Boolean(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sample_game",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True, autoincrement=False),
        sa.Column("turning", sa.String(), nullable=False),
    )
    op.create_table(
        "sample_opening",
        sa.Column("key", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("text", sa.String(), primary_key=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("first_wins", "draws", "second_wins")),
    )
    if op.get_bind().execute(sa.text("SELECT 1 FROM person LIMIT 1")).first() is None:
        op.execute(sa.text("INSERT INTO sample_set (id, next_batch, is_due) VALUES (1, 0, true)"))


def downgrade() -> None:
    """Take the tables away; the games stay, as imports."""
    for name in ("sample_opening", "sample_game", "sample_set"):
        op.drop_table(name)
