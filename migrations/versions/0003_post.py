"""Tables for members who play by post, their helpers, and what is entered from their cards.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXT, TIME = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "postal_member",
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), autoincrement=False, primary_key=True),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("address", TEXT(), nullable=False),
        sa.Column("plays_by_post", sa.Boolean(), nullable=False),
        sa.Column("is_listed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("since", TIME(), nullable=False),
    )
    op.create_table(
        "postal_helper",
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), autoincrement=False, primary_key=True),
        sa.Column("helper_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("asked_at", TIME(), nullable=False),
        sa.Column("agreed_at", TIME(), nullable=True),
    )
    op.create_index("ix_postal_helper_helper_id", "postal_helper", ["helper_id"])
    op.create_table(
        "postal_entry",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("entered_by_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("is_helper", sa.Boolean(), nullable=False),
        sa.Column("is_refused", sa.Boolean(), nullable=False),
        sa.Column("at", TIME(), nullable=False),
        sa.Column("contested_at", TIME(), nullable=True),
        sa.Column("contest", TEXT(), nullable=False),
    )
    op.create_index("ix_postal_entry_match", "postal_entry", ["match_id", "ply"])
    op.create_index("ix_postal_entry_person_id", "postal_entry", ["person_id"])
    op.create_index("ix_postal_entry_entered_by_id", "postal_entry", ["entered_by_id"])


def downgrade() -> None:
    """Drop them."""
    for table in ("postal_entry", "postal_helper", "postal_member"):
        op.drop_table(table)
