"""Leases that were lost are counted apart from tries, and the operator is told of what was set aside.

Revision ID: 0018
Revises: 0017
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

UNTOLD = sa.text("is_untold")


def upgrade() -> None:
    """Add the columns; a letter that waits without an answer may have arrived."""
    for table in ("inbound", "letter", "robot_turn"):
        op.add_column(table, sa.Column("lost_leases", sa.Integer(), server_default="0", nullable=False))
    op.add_column("letter", sa.Column("may_have_arrived", sa.Boolean(), server_default=sa.false(), nullable=False))
    for table in ("inbound", "letter"):
        op.add_column(table, sa.Column("is_untold", sa.Boolean(), server_default=sa.false(), nullable=False))
        op.create_index(f"ix_{table}_untold", table, ["id"], sqlite_where=UNTOLD, postgresql_where=UNTOLD)
    letter = sa.table("letter", sa.column("state"), sa.column("may_have_arrived", sa.Boolean()))
    op.execute(letter.update().where(letter.c.state == "uncertain").values(may_have_arrived=sa.true()))


def downgrade() -> None:
    """Take them away."""
    for table in ("inbound", "letter"):
        op.drop_index(f"ix_{table}_untold", table)
        op.drop_column(table, "is_untold")
    op.drop_column("letter", "may_have_arrived")
    for table in ("inbound", "letter", "robot_turn"):
        op.drop_column(table, "lost_leases")
