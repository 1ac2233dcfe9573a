"""Plans after the end of a game: when each player agreed to open them; mails of a person are found by time"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("plans_opened_at", UTCDateTime(), nullable=True))
    op.create_index("ix_inbound_person", "inbound", ["person_id", "received_at"])
    words = sa.text("length(raw) > 0")
    op.create_index("ix_inbound_words", "inbound", ["received_at"], sqlite_where=words, postgresql_where=words)
    _let_old_addresses_end()
    op.create_index("ix_letter_reader", "letter", ["match_id", "person_id"])
    op.drop_index("ix_letter_match_id", table_name="letter")
    op.create_index("ix_token_person", "token", ["person_id", "purpose"])
    op.drop_index("ix_token_person_id", table_name="token")


def _let_old_addresses_end() -> None:
    """Reply addresses of matches that were over already go on for a month from now."""
    token = sa.table("token", sa.column("purpose"), sa.column("match_id"), sa.column("expires_at", UTCDateTime()))
    match = sa.table("match", sa.column("id"), sa.column("ended_at"))
    over = sa.select(match.c.id).where(match.c.ended_at.is_not(None))
    old = token.c.expires_at.is_(None) & (token.c.purpose == "play") & token.c.match_id.in_(over)
    op.execute(sa.update(token).where(old).values(expires_at=datetime.now(UTC) + timedelta(days=30)))


def downgrade() -> None:
    op.create_index("ix_token_person_id", "token", ["person_id"])
    op.drop_index("ix_token_person", table_name="token")
    op.create_index("ix_letter_match_id", "letter", ["match_id"])
    op.drop_index("ix_letter_reader", table_name="letter")
    op.drop_index("ix_inbound_words", table_name="inbound")
    op.drop_index("ix_inbound_person", table_name="inbound")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("plans_opened_at")
