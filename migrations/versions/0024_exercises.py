"""Exercises from finished games, who tried them, and how far the games were searched.

Revision ID: 0024
Revises: 0023
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "exercise",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("game", TEXT(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", TEXT(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("position", TEXT(), nullable=False),
        sa.Column("tree", TEXT(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("found_at", MOMENT, nullable=False),
        sa.Column("withdrawn_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "ply"),
    )
    shown = sa.text("withdrawn_at IS NULL")
    op.create_index(
        "ix_exercise_shown", "exercise", ["id", "found_at", "game"], sqlite_where=shown, postgresql_where=shown
    )
    op.create_table(
        "exercise_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("exercise_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("begun_at", MOMENT, nullable=False),
        sa.Column("line", TEXT(), nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("opened_at", MOMENT, nullable=True),
        sa.Column("rating_before", sa.Float(), nullable=True),
        sa.Column("rating", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["exercise_id"], ["exercise.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "exercise_id"),
    )
    op.create_index("ix_exercise_attempt_exercise_id", "exercise_attempt", ["exercise_id"])
    op.create_table(
        "exercise_rating",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("person_id"),
    )
    op.create_table(
        "exercise_search",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("lease", TEXT(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Take them away."""
    for table in ("exercise_search", "exercise_rating", "exercise_attempt", "exercise"):
        op.drop_table(table)
