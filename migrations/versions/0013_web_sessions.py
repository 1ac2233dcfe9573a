"""Web sessions as rows, so that each can be ended here; letters asked for on pages wait for the worker"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "websession",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("digest", AutoString(), nullable=False),
        sa.Column("browser", AutoString(), nullable=False),
        sa.Column("system", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_websession_person_id", "websession", ["person_id"])
    op.create_index("ix_websession_seen_at", "websession", ["seen_at"])
    op.create_table(
        "letterrequest",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("mail", AutoString(), nullable=False),
        sa.Column("payload", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.drop_column("person", "session_number")


def downgrade() -> None:
    op.add_column("person", sa.Column("session_number", sa.Integer(), nullable=False, server_default="0"))
    op.drop_table("letterrequest")
    op.drop_index("ix_websession_seen_at", table_name="websession")
    op.drop_index("ix_websession_person_id", table_name="websession")
    op.drop_table("websession")
