"""Offers know when they ended, and challenges that are open now end in 30 days.

Revision ID: 0039
Revises: 0038
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_SEEK = sa.table(
    "seek",
    sa.column("state", sa.String()),
    sa.column("opponent_id", sa.Integer()),
    sa.column("expires_at", sa.DateTime(timezone=True)),
)
_IS_OPEN_CHALLENGE = sa.and_(_SEEK.c.state == "open", _SEEK.c.opponent_id.is_not(None))
_LASTS = timedelta(days=30)


def upgrade() -> None:
    """Add the column, and give open challenges their end."""
    op.add_column("offer", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    lasting = _SEEK.update().where(_IS_OPEN_CHALLENGE, _SEEK.c.expires_at.is_(None))
    op.execute(lasting.values(expires_at=datetime.now(UTC) + _LASTS))


def downgrade() -> None:
    """Take both away."""
    op.execute(_SEEK.update().where(_IS_OPEN_CHALLENGE).values(expires_at=None))
    op.drop_column("offer", "closed_at")
