"""How a game ended is signed once, kept with it, and told in the header of the letters about its result.

Revision ID: 0040
Revises: 0039
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the signed ends, and what letters tell of them."""
    op.create_table(
        "signed_end",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "number"),
    )
    op.add_column("move", sa.Column("comment_hash", sa.String(), nullable=False, server_default=""))
    op.add_column("letter", sa.Column("end", sa.String(), nullable=False, server_default=""))
    op.add_column("letter", sa.Column("seed", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("letter", "seed")
    op.drop_column("letter", "end")
    op.drop_column("move", "comment_hash")
    op.drop_table("signed_end")
