"""What operators do is kept, one row for each act; members can be suspended.

Revision ID: 0022
Revises: 0021
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns."""
    op.create_table(
        "operator_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("reversed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reversed_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["operator_id"], ["person.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["reversed_by_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("at", "person_id", "match_id"):
        op.create_index(f"ix_operator_act_{column}", "operator_act", [column])
    op.add_column("person", sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("person", sa.Column("suspended_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("person", sa.Column("suspended_for", sa.String(), server_default="", nullable=False))
    where = sa.text("suspended_until IS NOT NULL")
    op.create_index("ix_person_suspended", "person", ["suspended_until"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_person_suspended", "person")
    for column in ("suspended_for", "suspended_until", "suspended_at"):
        op.drop_column("person", column)
    op.drop_table("operator_act")
