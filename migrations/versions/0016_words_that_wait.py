"""Words that wait: from when on others can read a remark"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0016"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("remark", sa.Column("opens_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("remark", schema=None) as batch_op:
        batch_op.drop_column("opens_at")
