"""Conditional moves: the plans of players"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
MOMENT = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "plan",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("tree", TEXT(), nullable=False),
        sa.Column("met", TEXT(), nullable=False),
        sa.Column("stop", sa.String(length=16), nullable=False),
        sa.Column("heard", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("match_id", "person_id"),
    )
    op.create_index("ix_plan_person_id", "plan", ["person_id"])


def downgrade() -> None:
    op.drop_table("plan")
