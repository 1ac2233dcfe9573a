"""Who moves by mail gets a receipt unless they say no: members who had not asked for any get them from now on.

Who had stopped all notices keeps the silence.

Revision ID: 0005
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_PERSON = sa.table(
    "person",
    sa.column("receipts", sa.Boolean),
    sa.column("talk_letters", sa.Boolean),
    sa.column("reminders", sa.Boolean),
)


def upgrade() -> None:
    """Turn receipts on, except for those who get neither talk nor reminders."""
    wants_notices = sa.or_(_PERSON.c.talk_letters.is_(sa.true()), _PERSON.c.reminders.is_(sa.true()))
    op.execute(_PERSON.update().values(receipts=sa.true()).where(wants_notices))


def downgrade() -> None:
    """Leave the settings as they are: who had asked for receipts before is not known."""
