"""Robots are members, and their turns are leased.

Revision ID: 0014
Revises: 0013
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
COLUMNS = (
    ("person", lambda: sa.Column("robot_game", TEXT(), server_default="", nullable=False)),
    ("person", lambda: sa.Column("robot_level", sa.Integer(), server_default="0", nullable=False)),
    ("person", lambda: sa.Column("rates_robots", sa.Boolean(), server_default=sa.false(), nullable=False)),
    ("seek", lambda: sa.Column("robots", TEXT(), server_default="", nullable=False)),
)
"""The columns that are added, each with its table."""


def upgrade() -> None:
    """Add the columns and the tables."""
    for table, column in COLUMNS:
        op.add_column(table, column())
    where = sa.text("robot_level > 0")
    op.create_index(
        "ix_person_robot", "person", ["robot_game", "robot_level"], sqlite_where=where, postgresql_where=where
    )
    op.create_table(
        "robot_watch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "robot_turn",
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("takebacks", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", TEXT(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("outlook", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_index("ix_robot_turn_match_id", "robot_turn", ["match_id"])
    due = sa.text("due_at IS NOT NULL")
    op.create_index("ix_robot_turn_due", "robot_turn", ["due_at"], sqlite_where=due, postgresql_where=due)


def downgrade() -> None:
    """Take them away."""
    op.drop_table("robot_turn")
    op.drop_table("robot_watch")
    op.drop_index("ix_person_robot", "person")
    for table, column in reversed(COLUMNS):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column().name)
