"""Letters when they are wanted: pace of domains, preferences, digests, what was shown, what was collected"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
TIME = sqlmodel.sql.sqltypes.UTCDateTime

_NEW: tuple[tuple[str, str, object], ...] = (
    ("person", "over_letters", True),
    ("person", "challenge_letters", True),
    ("person", "turn_delay", 0),
    ("person", "digest", "off"),
    ("person", "digest_hour", 7),
    ("player", "shown_ply", -1),
    ("player", "shown_remark", 0),
    ("letter", "remarks", ""),
)


def upgrade() -> None:
    op.create_table(
        "maildomain",
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("full_at", TIME(), nullable=False),
        sa.Column("rests_until", TIME(), nullable=False),
        sa.Column("queued_until", TIME(), nullable=False),
        sa.Column("first_until", TIME(), nullable=False),
        sa.Column("second_until", TIME(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "collected",
        sa.Column("place", TEXT(), nullable=False),
        sa.Column("validity", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("troubles", TEXT(), nullable=False),
        sa.PrimaryKeyConstraint("place"),
    )
    for table, name, default in _NEW:
        kind = TEXT() if isinstance(default, str) else sa.Boolean() if default is True else sa.Integer()
        given = sa.true() if default is True else str(default)
        op.add_column(table, sa.Column(name, kind, nullable=False, server_default=given))
    for name in ("quiet_from", "quiet_until"):
        op.add_column("person", sa.Column(name, sa.Integer(), nullable=True))
    held = sa.text("state = 'held'")
    op.create_index("ix_letter_held", "letter", ["due_at"], sqlite_where=held, postgresql_where=held)


def downgrade() -> None:
    op.drop_index("ix_letter_held", "letter")
    for table, name in [("person", "quiet_until"), ("person", "quiet_from"), *(row[:2] for row in reversed(_NEW))]:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column(name)
    op.drop_table("collected")
    op.drop_table("maildomain")
