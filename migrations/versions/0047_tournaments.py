"""Tournaments; the event, round and section of a game; topics of letters that somebody has stopped.

Revision ID: 0047
Revises: 0046
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

POLICY = sa.Enum("automatic", "claim", "coax", name="policy", native_enum=False, length=16)
FORMAT = sa.Enum("round-robin", "swiss", "knockout", name="format", native_enum=False, length=16)
TOURNAMENTSTATE = sa.Enum(
    "open", "running", "finished", "called-off", name="tournamentstate", native_enum=False, length=16
)
ENTRANTSTATE = sa.Enum("in", "withdrawn", "removed", name="entrantstate", native_enum=False, length=16)
RESULT = sa.Enum("1-0", "0-1", "1/2-1/2", "*", "void", name="result", native_enum=False, length=16)
ACTKIND = sa.Enum(
    "made",
    "announced",
    "closed",
    "removed",
    "extended",
    "admitted",
    "called off",
    "withdrew",
    name="actkind",
    native_enum=False,
    length=16,
)


def _where(words: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(words), "postgresql_where": sa.text(words)}


def upgrade() -> None:
    """Add the tables and the columns."""
    for name in ("event", "round", "section"):
        op.add_column("match", sa.Column(name, sa.String(), server_default="", nullable=False))
    op.add_column("person", sa.Column("stopped_topics", sa.String(), server_default="", nullable=False))
    op.create_table(
        "tournament",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("increment", sa.Integer(), nullable=False),
        sa.Column("cap", sa.Integer(), nullable=False),
        sa.Column("policy", POLICY, nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("analysis", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("format", FORMAT, nullable=False),
        sa.Column("state", TOURNAMENTSTATE, nullable=False),
        sa.Column("organiser_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("players", sa.Integer(), nullable=True),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at_once", sa.Integer(), nullable=True),
        sa.Column("round_days", sa.Integer(), nullable=True),
        sa.Column("has_final", sa.Boolean(), nullable=False),
        sa.Column("advance", sa.Integer(), nullable=False),
        sa.Column("rating_low", sa.Integer(), nullable=True),
        sa.Column("rating_high", sa.Integer(), nullable=True),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("robots_fill", sa.Boolean(), nullable=False),
        sa.Column("is_closed", sa.Boolean(), nullable=False),
        sa.Column("takes_late", sa.Boolean(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_due", "tournament", ["due_at"], **_where("due_at IS NOT NULL"))
    op.create_index("ix_tournament_state", "tournament", ["state", "id"])
    op.create_index("ix_tournament_organiser", "tournament", ["organiser_id", "state"])
    op.create_table(
        "tournament_round",
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("tournament_id", "number"),
    )
    op.create_table(
        "tournament_entrant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("state", ENTRANTSTATE, nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("is_robot", sa.Boolean(), nullable=False),
        sa.Column("first_round", sa.Integer(), nullable=False),
        sa.Column("sits_out", sa.Integer(), nullable=True),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replaced_by_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tournament_id", "person_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_entrant_person", "tournament_entrant", ["person_id"])
    op.create_table(
        "tournament_pairing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("section", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("pair", sa.String(), nullable=False),
        sa.Column("first_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=False),
        sa.Column("second_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("result", RESULT, nullable=False),
        sa.Column("is_judged", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=True),
        sa.Column("is_unshown", sa.Boolean(), nullable=False),
        sa.Column("first_used", sa.Integer(), nullable=False),
        sa.Column("second_used", sa.Integer(), nullable=False),
        sa.Column("settle_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id"),
        sa.UniqueConstraint("tournament_id", "round", "leg", "pair"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_tournament_pairing_settle", "tournament_pairing", ["settle_at"], **_where("settle_at IS NOT NULL")
    )
    op.create_table(
        "tournament_bye",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("entrant_id", sa.Integer(), sa.ForeignKey("tournament_entrant.id"), nullable=False),
        sa.Column("half_points", sa.Integer(), nullable=False),
        sa.Column("is_asked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tournament_id", "round", "entrant_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tournament_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=True),
        sa.Column("about_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=True),
        sa.Column("kind", ACTKIND, nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_act", "tournament_act", ["tournament_id", "at"])
    op.create_table(
        "tournament_conduct",
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("barred_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("person_id"),
    )


def downgrade() -> None:
    """Take them away."""
    for table in (
        "tournament_conduct", "tournament_act", "tournament_bye", "tournament_pairing", "tournament_entrant",
        "tournament_round", "tournament",
    ):  # fmt: skip
        op.drop_table(table)
    op.drop_column("person", "stopped_topics")
    for name in ("section", "round", "event"):
        op.drop_column("match", name)
