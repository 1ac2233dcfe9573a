"""The archive of each month is kept, and members say once whether their games are given to everybody.

Revision ID: 0010
Revises: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns."""
    op.create_table(
        "archive_month",
        sa.Column("month", _text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("manifest", _text(), nullable=False),
        sa.Column("digest", _text(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("free", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("month"),
    )
    op.add_column("person", sa.Column("archive_licence", _text(), server_default="", nullable=False))
    op.add_column("person", sa.Column("archive_asked_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Take them away."""
    op.drop_column("person", "archive_asked_at")
    op.drop_column("person", "archive_licence")
    op.drop_table("archive_month")


def _text() -> sa.types.TypeEngine[str]:
    return sqlmodel.sql.sqltypes.AutoString()
