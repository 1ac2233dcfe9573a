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


def downgrade() -> None:
    op.drop_table("collected")
    op.drop_table("maildomain")
