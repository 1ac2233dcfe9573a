"""The page of a game: what a player has seen, who may read a remark, moves tried, the deal of the day"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0008"
down_revision = "0006"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
UTC = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    audience = sa.Enum("players", "everyone", "me", name="audience", native_enum=False, length=16)
    op.add_column("person", sa.Column("confirm_moves", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("player", sa.Column("seen_ply", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("remark", sa.Column("audience", audience, nullable=False, server_default="players"))
    op.add_column("seek", sa.Column("analysis", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("match", sa.Column("analysis", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("match", sa.Column("daily", sa.Date(), nullable=True))
    dated = sa.text("daily IS NOT NULL")
    op.create_index("ix_match_daily", "match", ["daily", "ply"], sqlite_where=dated, postgresql_where=dated)
    op.create_table(
        "variation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Integer(), sa.ForeignKey("variation.id"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", TEXT(), nullable=False),
        sa.Column("at", UTC(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_variation_tree", "variation", ["match_id", "person_id", "id"])
    op.create_index("ix_variation_person_id", "variation", ["person_id"])


def downgrade() -> None:
    op.drop_table("variation")
    op.drop_index("ix_match_daily", "match")
    for table, names in {
        "match": ("daily", "analysis"),
        "seek": ("analysis",),
        "remark": ("audience",),
        "player": ("seen_ply",),
        "person": ("confirm_moves",),
    }.items():
        with op.batch_alter_table(table, schema=None) as batch_op:
            for name in names:
                batch_op.drop_column(name)
