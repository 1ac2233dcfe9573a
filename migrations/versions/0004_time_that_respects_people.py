"""Time that respects people: calendars, absences, outages, pauses, take-backs, and what happens at flag-fall"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
MOMENT = sqlmodel.sql.sqltypes.UTCDateTime


def _one_of(name: str, *words: str) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, length=16)


def upgrade() -> None:
    _new_tables()
    _new_columns()
    _deadlines_of_turns_that_run()


def _new_tables() -> None:
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("begins_at", MOMENT(), nullable=False),
        sa.Column("ends_at", MOMENT(), nullable=False),
        sa.Column("announced", sa.Boolean(), nullable=False),
        sa.Column("is_applied", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_absence_person", "absence", ["person_id", "ends_at"])
    unapplied = sa.text("NOT is_applied")
    op.create_index("ix_absence_new", "absence", ["id"], sqlite_where=unapplied, postgresql_where=unapplied)
    op.create_table("pulse", sa.Column("id", sa.Integer(), primary_key=True), sa.Column("at", MOMENT(), nullable=False))
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("begins_at", MOMENT(), nullable=False),
        sa.Column("ends_at", MOMENT(), nullable=False),
        sa.Column("applied_to", sa.Integer(), nullable=False),
        sa.Column("is_applied", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("begins_at"),
    )
    op.create_index("ix_outage_ends_at", "outage", ["ends_at"])
    op.create_table(
        "halt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("cause", _one_of("cause", "pause", "respite"), nullable=False),
        sa.Column("begins_at", MOMENT(), nullable=False),
        sa.Column("ends_at", MOMENT(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_halt_match_id", "halt", ["match_id"])
    op.create_table(
        "takenback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", TEXT(), nullable=False),
        sa.Column("at", MOMENT(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("by", _one_of("by", "web", "mail", "chance"), nullable=False),
        sa.Column("comment", TEXT(), nullable=False),
        sa.Column("taken_back_at", MOMENT(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_takenback_match_id", "takenback", ["match_id"])


def _new_columns() -> None:
    policy = _one_of("policy", "automatic", "claim", "coax")
    kind = _one_of("offerkind", "draw", "takeback", "pause")
    for table, column in (
        ("person", sa.Column("hours", TEXT(), nullable=False, server_default="")),
        ("person", sa.Column("reminder_lead", sa.Integer(), nullable=False, server_default="0")),
        ("person", sa.Column("refuses_time_wins", sa.Boolean(), nullable=False, server_default=sa.false())),
        ("person", sa.Column("absence_left", sa.Integer(), nullable=False, server_default="720")),
        ("person", sa.Column("absence_from", MOMENT(), nullable=True)),
        ("seek", sa.Column("policy", policy, nullable=False, server_default="automatic")),
        ("match", sa.Column("policy", policy, nullable=False, server_default="automatic")),
        ("match", sa.Column("undone", sa.Integer(), nullable=False, server_default="0")),
        ("player", sa.Column("hours", TEXT(), nullable=False, server_default="")),
        ("player", sa.Column("deadline", MOMENT(), nullable=True)),
        ("player", sa.Column("remind_at", MOMENT(), nullable=True)),
        ("player", sa.Column("flagged_at", MOMENT(), nullable=True)),
        ("move", sa.Column("bank", sa.Integer(), nullable=True)),
        ("offer", sa.Column("kind", kind, nullable=False, server_default="draw")),
        ("offer", sa.Column("days", sa.Integer(), nullable=False, server_default="0")),
    ):
        op.add_column(table, column)


def _deadlines_of_turns_that_run() -> None:
    """Deadlines used to be reckoned from `since` and `bank` whenever they were asked for."""
    player = sa.table(
        "player",
        sa.column("id", sa.Integer()),
        sa.column("bank", sa.Integer()),
        *(sa.column(name, MOMENT()) for name in ("since", "deadline", "remind_at")),
    )
    database = op.get_bind()
    running = sa.select(player.c.id, player.c.since, player.c.bank).where(player.c.since.is_not(None))
    for number, since, bank in database.execute(running).all():
        deadline, remind_at = since + timedelta(seconds=bank), since + timedelta(seconds=bank * 0.8)
        values = {"deadline": deadline, "remind_at": remind_at}
        database.execute(sa.update(player).where(player.c.id == number).values(**values))


def downgrade() -> None:
    for table, names in (
        ("offer", ("days", "kind")),
        ("move", ("bank",)),
        ("player", ("flagged_at", "remind_at", "deadline", "hours")),
        ("match", ("undone", "policy")),
        ("seek", ("policy",)),
        ("person", ("absence_from", "absence_left", "refuses_time_wins", "reminder_lead", "hours")),
    ):
        with op.batch_alter_table(table, schema=None) as batch_op:
            for name in names:
                batch_op.drop_column(name)
    for table in ("takenback", "halt", "outage", "pulse", "absence"):
        op.drop_table(table)
