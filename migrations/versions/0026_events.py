"""Programs of members hear what happens: events, and webhooks to which they are posted.

Revision ID: 0026
Revises: 0025
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    """Add the column and the tables."""
    op.add_column("person", sa.Column("event_number", sa.Integer(), nullable=True))
    _events()
    _webhooks()
    _deliveries()


def _events() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "number"),
    )
    where = sa.text("number IS NULL")
    op.create_index("ix_event_at", "event", ["at"])
    op.create_index("ix_event_due", "event", ["due_at", "person_id"], sqlite_where=where, postgresql_where=where)


def _webhooks() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("url", TEXT(), nullable=False),
        sa.Column("kinds", TEXT(), nullable=False),
        sa.Column("nonce", TEXT(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("off_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    where = sa.text("due_at IS NOT NULL")
    op.create_index("ix_webhook_person_id", "webhook", ["person_id"])
    op.create_index("ix_webhook_due", "webhook", ["due_at"], sqlite_where=where, postgresql_where=where)


def _deliveries() -> None:
    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    where = sa.text("state = 'waiting'")
    op.create_index("ix_webhook_delivery_event_id", "webhook_delivery", ["event_id"])
    op.create_index("ix_webhook_delivery_webhook_id", "webhook_delivery", ["webhook_id"])
    op.create_index(
        "ix_webhook_delivery_waiting",
        "webhook_delivery",
        ["webhook_id", "id"],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("webhook_delivery")
    op.drop_table("webhook")
    op.drop_table("event")
    op.drop_column("person", "event_number")
