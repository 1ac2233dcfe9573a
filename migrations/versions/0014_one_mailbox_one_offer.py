"""Letters know the mailbox they go to, plus-addresses being one; an invitation knows whom it asks, by a hash"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("letter", sa.Column("mailbox", sa.String(), server_default="", nullable=False))
    _fill_in()
    op.create_index("ix_letter_mailbox", "letter", ["mailbox", "created_at"])
    op.drop_index("ix_letter_recipient", table_name="letter")
    op.add_column("seek", sa.Column("invited", sa.String(), server_default="", nullable=False))


def _fill_in() -> None:
    """One statement for each address that was ever written to, along the index that is dropped next."""
    letter = sa.table("letter", sa.column("recipient"), sa.column("mailbox"))
    connection = op.get_bind()
    for recipient in list(connection.scalars(sa.select(letter.c.recipient).distinct())):
        local, at, domain = recipient.strip().lower().rpartition("@")
        mailbox = f"{local.partition('+')[0] or local}{at}{domain}"
        connection.execute(sa.update(letter).where(letter.c.recipient == recipient).values(mailbox=mailbox))


def downgrade() -> None:
    op.create_index("ix_letter_recipient", "letter", ["recipient", "created_at"])
    op.drop_index("ix_letter_mailbox", table_name="letter")
    with op.batch_alter_table("seek", schema=None) as batch_op:
        batch_op.drop_column("invited")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_column("mailbox")
