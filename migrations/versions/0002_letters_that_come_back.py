"""Letters that come back, addresses that are not written to, and the way to stop letters"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    op.create_table(
        "suppression",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mail_key", TEXT(), nullable=False),
        sa.Column("scope", sa.Enum("all", "notices", name="scope", native_enum=False, length=16), nullable=False),
        sa.Column("reason", TEXT(), nullable=False),
        sa.Column("since", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mail_key", "scope"),
    )
    op.add_column("address", sa.Column("score", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("address", sa.Column("scored_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.add_column("player", sa.Column("put_off", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("letter", sa.Column("bounce", TEXT(), nullable=False, server_default=""))
    op.add_column("letter", sa.Column("bounce_words", TEXT(), nullable=False, server_default=""))
    op.add_column("letter", sa.Column("bounced_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    # in one statement, because SQLite adds no constraint to a table that is there
    op.execute("ALTER TABLE letter ADD COLUMN stop_token_id INTEGER REFERENCES token (id)")


def downgrade() -> None:
    for name in ("stop_token_id", "bounced_at", "bounce_words", "bounce"):
        with op.batch_alter_table("letter", schema=None) as batch_op:
            batch_op.drop_column(name)
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("put_off")
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_column("scored_at")
        batch_op.drop_column("score")
    op.drop_table("suppression")
