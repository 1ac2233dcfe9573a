"""Commitments, seals and signatures: seeds of offers and days, words of players, the version of the chain.

Revision ID: 0007
Revises: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TEXTS = (("seek", "words"), ("player", "words"), ("move", "seal"), ("letter", "head"))
"""New columns of text, empty in all rows that there are."""


def upgrade() -> None:
    """Add the columns and tables; matches that have begun keep the chain they began with."""
    for table, column in TEXTS:
        op.add_column(table, sa.Column(column, _text(), server_default="", nullable=False))
    op.add_column("match", sa.Column("chain", sa.Integer(), server_default="1", nullable=False))
    op.create_table(
        "offer_seed",
        sa.Column("seek_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["seek_id"], ["seek.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seek_id"),
    )
    op.create_table(
        "daily_seed",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("day"),
    )
    op.create_table(
        "signing_key",
        sa.Column("public", _text(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("public"),
    )
    op.create_table(
        "imported_record",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("site", _text(), nullable=False),
        sa.Column("key", _text(), nullable=False),
        sa.Column("signature", _text(), nullable=False),
        sa.Column("is_foreign", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )


def _text() -> sa.types.TypeEngine[str]:
    return sqlmodel.sql.sqltypes.AutoString()
