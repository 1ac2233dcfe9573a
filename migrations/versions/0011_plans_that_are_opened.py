"""Plans after the end of a game: when each player agreed to open them; mails of a person are found by time"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("plans_opened_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.create_index("ix_inbound_person", "inbound", ["person_id", "received_at"])
    words = sa.text("length(raw) > 0")
    op.create_index("ix_inbound_words", "inbound", ["received_at"], sqlite_where=words, postgresql_where=words)
    op.create_index("ix_letter_reader", "letter", ["match_id", "person_id"])
    op.drop_index("ix_letter_match_id", table_name="letter")
    op.create_index("ix_token_person", "token", ["person_id", "purpose"])
    op.drop_index("ix_token_person_id", table_name="token")


def downgrade() -> None:
    op.create_index("ix_token_person_id", "token", ["person_id"])
    op.drop_index("ix_token_person", table_name="token")
    op.create_index("ix_letter_match_id", "letter", ["match_id"])
    op.drop_index("ix_letter_reader", table_name="letter")
    op.drop_index("ix_inbound_words", table_name="inbound")
    op.drop_index("ix_inbound_person", table_name="inbound")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("plans_opened_at")
