"""All tables, as version 0.2.0 has them.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table and index."""
    op.create_table(
        "continuation",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("first_wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("second_wins", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "text"),
    )
    op.create_table(
        "fetch_progress",
        sa.Column("mailbox_hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.Column("failures", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox_hash"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "letter_request",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("join", "sign-in", "invite", name="requestkind", native_enum=False, length=16),
            nullable=False,
        ),
        sa.Column("mail", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("payload", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "mail_domain",
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("full_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("rests_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("queued_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("first_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("second_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("increment", sa.Integer(), nullable=False),
        sa.Column("cap", sa.Integer(), nullable=False),
        sa.Column(
            "policy", sa.Enum("automatic", "claim", "coax", name="policy", native_enum=False, length=16), nullable=False
        ),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("result", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("position", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("started_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("deadline", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("remind_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("takebacks", sa.Integer(), nullable=False),
        sa.Column("analysis", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("daily", sa.Date(), nullable=True),
        sa.Column("indexed_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_match_daily",
        "match",
        ["daily", "ply"],
        unique=False,
        sqlite_where=sa.text("daily IS NOT NULL"),
        postgresql_where=sa.text("daily IS NOT NULL"),
    )
    op.create_index(
        "ix_match_deadline",
        "match",
        ["deadline"],
        unique=False,
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_index(
        "ix_match_finished",
        "match",
        ["ended_at", "id", "game", "result", "reason", "ply", "options", "daily"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(
        "ix_match_finished_game",
        "match",
        ["game", "ended_at", "id", "result", "reason", "ply", "options", "daily"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(
        "ix_match_remind_at",
        "match",
        ["remind_at"],
        unique=False,
        sqlite_where=sa.text("remind_at IS NOT NULL"),
        postgresql_where=sa.text("remind_at IS NOT NULL"),
    )
    op.create_index(
        "ix_match_unindexed",
        "match",
        ["ended_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL AND indexed_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND indexed_at IS NULL"),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("begins_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ends_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("applied_to", sa.Integer(), nullable=False),
        sa.Column("is_applied", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("begins_at"),
    )
    op.create_index(op.f("ix_outage_ends_at"), "outage", ["ends_at"], unique=False)
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("handle", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("handle_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("language", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("zone", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("text_only", sa.Boolean(), nullable=False),
        sa.Column("turn_letters", sa.Boolean(), nullable=False),
        sa.Column("talk_letters", sa.Boolean(), nullable=False),
        sa.Column("reminders", sa.Boolean(), nullable=False),
        sa.Column("receipts", sa.Boolean(), nullable=False),
        sa.Column("confirm_moves", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("game_over_letters", sa.Boolean(), nullable=False),
        sa.Column("challenge_letters", sa.Boolean(), nullable=False),
        sa.Column("turn_delay", sa.Integer(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("joined_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("seen_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("off_hours", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reminder_lead", sa.Integer(), nullable=False),
        sa.Column("refuses_time_wins", sa.Boolean(), nullable=False),
        sa.Column("vacation_hours_left", sa.Integer(), nullable=False),
        sa.Column("vacation_hours_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("departed_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("handle_key"),
    )
    op.create_table(
        "suppression",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mail_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("scope", sa.Enum("all", "notices", name="scope", native_enum=False, length=16), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("since", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mail_key", "scope"),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("mail", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("mail_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("verified_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("bounce_score", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mail_key"),
    )
    op.create_index(op.f("ix_address_person_id"), "address", ["person_id"], unique=False)
    op.create_table(
        "block",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("since", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "other_id"),
    )
    op.create_index(op.f("ix_block_other_id"), "block", ["other_id"], unique=False)
    op.create_table(
        "directory_listing",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("shows_handle", sa.Boolean(), nullable=False),
        sa.Column("shows_mail", sa.Boolean(), nullable=False),
        sa.Column("shows_post", sa.Boolean(), nullable=False),
        sa.Column("takes_letters", sa.Boolean(), nullable=False),
        sa.Column("games", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("options", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("paces", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("languages", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("post", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("person_id"),
    )
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("recipient", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sender", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "new", "taken", "done", "ignored", "rejected", "dead", name="inboundstate", native_enum=False, length=16
            ),
            nullable=False,
        ),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("due_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_key", "recipient"),
    )
    op.create_index(op.f("ix_inbound_match_id"), "inbound", ["match_id"], unique=False)
    op.create_index(
        "ix_inbound_open",
        "inbound",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("state IN ('new', 'taken')"),
        postgresql_where=sa.text("state IN ('new', 'taken')"),
    )
    op.create_index("ix_inbound_person", "inbound", ["person_id", "received_at"], unique=False)
    op.create_index(
        "ix_inbound_words",
        "inbound",
        ["received_at"],
        unique=False,
        sqlite_where=sa.text("length(raw) > 0"),
        postgresql_where=sa.text("length(raw) > 0"),
    )
    op.create_table(
        "member_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sender_id", sa.Integer(), nullable=False),
        sa.Column("recipient_id", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Boolean(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["recipient_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["sender_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_member_mail_recipient_id"), "member_mail", ["recipient_id"], unique=False)
    op.create_index("ix_member_mail_sender", "member_mail", ["sender_id", "at"], unique=False)
    op.create_table(
        "member_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["about_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_member_report_by", "member_report", ["person_id", "at"], unique=False)
    op.create_table(
        "move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=True),
        sa.Column(
            "by", sa.Enum("web", "mail", "chance", "plan", name="by", native_enum=False, length=16), nullable=False
        ),
        sa.Column("comment", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("hash", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "ply"),
    )
    op.create_index(op.f("ix_move_match_id"), "move", ["match_id"], unique=False)
    op.create_table(
        "mute",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("since", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "other_id"),
    )
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column(
            "kind", sa.Enum("draw", "takeback", "pause", name="offerkind", native_enum=False, length=16), nullable=False
        ),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column(
            "state", sa.Enum("open", "taken", "lapsed", name="offerstate", native_enum=False, length=16), nullable=False
        ),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_offer_match_id"), "offer", ["match_id"], unique=False)
    op.create_table(
        "opening",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("key", "ended_at", "match_id"),
    )
    op.create_table(
        "plan",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("tree", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("pending_move", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column(
            "stop",
            sa.Enum(
                "",
                "deviated",
                "words",
                "offer",
                "shown",
                "illegal",
                "taken back",
                name="planstop",
                native_enum=False,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("last_remark_id", sa.Integer(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "person_id"),
    )
    op.create_index(op.f("ix_plan_person_id"), "plan", ["person_id"], unique=False)
    op.create_table(
        "rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("established_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "game"),
    )
    op.create_index("ix_rating_order", "rating", ["game", "rating", "id"], unique=False)
    op.create_table(
        "rating_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("opponent_id", sa.Integer(), nullable=False),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("games_before", sa.Integer(), nullable=False),
        sa.Column("before_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("rating_before", sa.Float(), nullable=False),
        sa.Column("deviation_before", sa.Float(), nullable=False),
        sa.Column("volatility_before", sa.Float(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "person_id"),
    )
    op.create_index("ix_rating_change_course", "rating_change", ["person_id", "game", "id"], unique=False)
    op.create_index("ix_rating_change_pair", "rating_change", ["person_id", "opponent_id", "game", "at"], unique=False)
    op.create_table(
        "remark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column(
            "audience",
            sa.Enum("players", "everyone", "me", name="audience", native_enum=False, length=16),
            server_default="players",
            nullable=False,
        ),
        sa.Column("opens_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_remark_match_id"), "remark", ["match_id"], unique=False)
    op.create_table(
        "seed",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "seek",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("opponent_id", sa.Integer(), nullable=True),
        sa.Column("game", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("options", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("increment", sa.Integer(), nullable=False),
        sa.Column("cap", sa.Integer(), nullable=False),
        sa.Column(
            "policy", sa.Enum("automatic", "claim", "coax", name="policy", native_enum=False, length=16), nullable=False
        ),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("analysis", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "open", "taken", "declined", "withdrawn", "expired", name="seekstate", native_enum=False, length=16
            ),
            nullable=False,
        ),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("invited", sqlmodel.sql.sqltypes.AutoString(), server_default="", nullable=False),
        sa.Column("games_wanted", sa.Integer(), server_default="1", nullable=False),
        sa.Column("games_at_once", sa.Integer(), server_default="0", nullable=False),
        sa.Column("games_begun", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rating_low", sa.Integer(), nullable=True),
        sa.Column("rating_high", sa.Integer(), nullable=True),
        sa.Column("reliability", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rest_days", sa.Integer(), server_default="0", nullable=False),
        sa.Column("language", sqlmodel.sql.sqltypes.AutoString(), server_default="", nullable=False),
        sa.Column("pair_me", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("any_options", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("is_private", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("expires_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("answers_id", sa.Integer(), nullable=True),
        sa.Column("after_match_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["after_match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["answers_id"],
            ["seek.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_seek_expires_at",
        "seek",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("state = 'open' AND expires_at IS NOT NULL"),
        postgresql_where=sa.text("state = 'open' AND expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_seek_open",
        "seek",
        ["game", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'open' AND opponent_id IS NULL"),
        postgresql_where=sa.text("state = 'open' AND opponent_id IS NULL"),
    )
    op.create_index(op.f("ix_seek_opponent_id"), "seek", ["opponent_id"], unique=False)
    op.create_index(op.f("ix_seek_person_id"), "seek", ["person_id"], unique=False)
    op.create_table(
        "taken_back_move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column(
            "by", sa.Enum("web", "mail", "chance", "plan", name="by", native_enum=False, length=16), nullable=False
        ),
        sa.Column("comment", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("taken_back_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_taken_back_move_match_id"), "taken_back_move", ["match_id"], unique=False)
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column(
            "purpose",
            sa.Enum(
                "join",
                "sign-in",
                "play",
                "seek",
                "commands",
                "resign",
                "export",
                "forget",
                "stop",
                "renew",
                "invite",
                "contact",
                "calendar",
                "analysis",
                "proposal",
                name="purpose",
                native_enum=False,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("payload", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("expires_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("used_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_token_match_id"), "token", ["match_id"], unique=False)
    op.create_index("ix_token_person", "token", ["person_id", "purpose"], unique=False)
    op.create_table(
        "vacation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("begins_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ends_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("announced", sa.Boolean(), nullable=False),
        sa.Column("is_applied", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_vacation_new",
        "vacation",
        ["id"],
        unique=False,
        sqlite_where=sa.text("NOT is_applied"),
        postgresql_where=sa.text("NOT is_applied"),
    )
    op.create_index("ix_vacation_person", "vacation", ["person_id", "ends_at"], unique=False)
    op.create_table(
        "variation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["variation.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_variation_person_id"), "variation", ["person_id"], unique=False)
    op.create_index("ix_variation_tree", "variation", ["match_id", "person_id", "id"], unique=False)
    op.create_table(
        "web_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("browser", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("system", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("seen_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_web_session_person_id"), "web_session", ["person_id"], unique=False)
    op.create_index(op.f("ix_web_session_seen_at"), "web_session", ["seen_at"], unique=False)
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("recipient", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("mailbox", sqlmodel.sql.sqltypes.AutoString(), server_default="", nullable=False),
        sa.Column("subject", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("html", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("picture", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("choices", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("remarks", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("auto_submitted", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("message_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("in_reply_to", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("reply_token_id", sa.Integer(), nullable=True),
        sa.Column("link_token_id", sa.Integer(), nullable=True),
        sa.Column("stop_token_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("due_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "queued",
                "sending",
                "sent",
                "cancelled",
                "held",
                "merged",
                "uncertain",
                "failed",
                name="letterstate",
                native_enum=False,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("answer", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sent_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("bounce", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bounce_words", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("bounced_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["link_token_id"],
            ["token.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["reply_token_id"],
            ["token.id"],
        ),
        sa.ForeignKeyConstraint(
            ["stop_token_id"],
            ["token.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        sa.UniqueConstraint("message_id"),
    )
    op.create_index(
        "ix_letter_due",
        "letter",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("state IN ('queued', 'sending', 'uncertain')"),
        postgresql_where=sa.text("state IN ('queued', 'sending', 'uncertain')"),
    )
    op.create_index(
        "ix_letter_held",
        "letter",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("state = 'held'"),
        postgresql_where=sa.text("state = 'held'"),
    )
    op.create_index("ix_letter_mailbox", "letter", ["mailbox", "created_at"], unique=False)
    op.create_index(op.f("ix_letter_person_id"), "letter", ["person_id"], unique=False)
    op.create_index("ix_letter_reader", "letter", ["match_id", "person_id"], unique=False)
    op.create_table(
        "pairing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seek_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seek_id"],
            ["seek.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("seek_id", "match_id"),
    )
    op.create_index(op.f("ix_pairing_match_id"), "pairing", ["match_id"], unique=False)
    op.create_index(op.f("ix_pairing_seek_id"), "pairing", ["seek_id"], unique=False)
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("since", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("turn_ply", sa.Integer(), nullable=False),
        sa.Column("off_hours", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("deadline", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("remind_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("flagged_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("token_id", sa.Integer(), nullable=True),
        sa.Column("extensions", sa.Integer(), nullable=False),
        sa.Column(
            "lateness",
            sa.Enum("", "own", "mail", "outage", "away", name="lateness", native_enum=False, length=16),
            nullable=False,
        ),
        sa.Column("muted_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("seen_ply", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shown_ply", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("shown_remark", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_message_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("plans_opened_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["token_id"],
            ["token.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "seat"),
    )
    op.create_index(
        "ix_player_finished",
        "player",
        ["person_id", "ended_at", "match_id"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_player_match_id"), "player", ["match_id"], unique=False)
    op.create_index(op.f("ix_player_person_id"), "player", ["person_id"], unique=False)
    op.create_index(
        "ix_player_running",
        "player",
        ["person_id"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index("ix_player_turn", "player", ["person_id", "since"], unique=False)
    op.create_table(
        "clock_stop",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("cause", sa.Enum("pause", "extension", name="cause", native_enum=False, length=16), nullable=False),
        sa.Column("begins_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ends_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_clock_stop_match_id"), "clock_stop", ["match_id"], unique=False)
