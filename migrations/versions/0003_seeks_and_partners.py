"""Seeks with conditions, standing and expiring; counter-offers and rematches; the directory of partners"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
MOMENT = sqlmodel.sql.sqltypes.UTCDateTime
OPEN_TO_ALL = sa.text("state = 'open' AND opponent_id IS NULL")
EXPIRING = sa.text("state = 'open' AND expires_at IS NOT NULL")

NUMBERS = {"wanted": "1", "at_once": "0", "taken": "0", "reliability": "0", "rest_days": "0"}
SWITCHES = ("pair_me", "any_options", "is_private")
REFERENCES = {"answers_id": "seek", "after_match_id": "match"}


def upgrade() -> None:
    for name, usual in NUMBERS.items():
        op.add_column("seek", sa.Column(name, sa.Integer(), nullable=False, server_default=usual))
    for name in ("rating_low", "rating_high"):
        op.add_column("seek", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("seek", sa.Column("language", TEXT(), nullable=False, server_default=""))
    for name in SWITCHES:
        op.add_column("seek", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.text("false")))
    op.add_column("seek", sa.Column("expires_at", MOMENT(), nullable=True))
    for name, table in REFERENCES.items():
        # in one statement, because SQLite adds no constraint to a table that is there
        op.execute(f"ALTER TABLE seek ADD COLUMN {name} INTEGER REFERENCES {table} (id)")
    op.create_index("ix_seek_open", "seek", ["game", "id"], sqlite_where=OPEN_TO_ALL, postgresql_where=OPEN_TO_ALL)
    op.create_index("ix_seek_expires_at", "seek", ["expires_at"], sqlite_where=EXPIRING, postgresql_where=EXPIRING)
    op.create_table(
        "pairing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seek_id", sa.Integer(), sa.ForeignKey("seek.id"), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("seek_id", "match_id"),
    )
    op.create_index("ix_pairing_seek_id", "pairing", ["seek_id"])
    op.create_index("ix_pairing_match_id", "pairing", ["match_id"])
    op.create_table(
        "listing",
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        *(
            sa.Column(name, sa.Boolean(), nullable=False)
            for name in ("shows_handle", "shows_mail", "shows_post", "takes_letters")
        ),
        *(sa.Column(name, TEXT(), nullable=False) for name in ("games", "options", "paces", "languages", "post")),
        sa.PrimaryKeyConstraint("person_id"),
    )
    op.create_table(
        "contact",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sender_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("recipient_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("answers", sa.Boolean(), nullable=False),
        sa.Column("at", MOMENT(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_contact_sender", "contact", ["sender_id", "at"])
    op.create_index("ix_contact_recipient_id", "contact", ["recipient_id"])


def downgrade() -> None:
    op.drop_table("contact")
    op.drop_table("listing")
    op.drop_table("pairing")
    op.drop_index("ix_seek_expires_at", "seek")
    op.drop_index("ix_seek_open", "seek")
    for name in (*REFERENCES, "expires_at", *SWITCHES, "language", "rating_high", "rating_low", *NUMBERS):
        with op.batch_alter_table("seek", schema=None) as batch_op:
            batch_op.drop_column(name)
