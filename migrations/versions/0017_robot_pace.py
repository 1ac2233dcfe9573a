"""Members say how soon robots answer them, and failures of robots are told to the operator.

Revision ID: 0017
Revises: 0016
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

FAILED = sa.text("failure <> ''")


def upgrade() -> None:
    """Add the columns."""
    text = sqlmodel.sql.sqltypes.AutoString
    op.add_column("person", sa.Column("robot_pace", text(), server_default="usual", nullable=False))
    op.add_column("robot_turn", sa.Column("failure", text(), server_default="", nullable=False))
    op.create_index("ix_robot_turn_failed", "robot_turn", ["match_id"], sqlite_where=FAILED, postgresql_where=FAILED)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_robot_turn_failed", "robot_turn")
    op.drop_column("robot_turn", "failure")
    op.drop_column("person", "robot_pace")
