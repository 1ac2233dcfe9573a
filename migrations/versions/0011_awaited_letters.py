"""Letters that somebody waits for are found by their kind, however many others are due.

Revision ID: 0011
Revises: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('queued', 'sending', 'uncertain')")


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_letter_kind", "letter", ["kind", "due_at"], sqlite_where=_OPEN, postgresql_where=_OPEN)


def downgrade() -> None:
    """Take it away."""
    op.drop_index("ix_letter_kind", table_name="letter")
