"""The answers that a mailbox got in a day are counted in an index alone: a row holds whole letters.

Revision ID: 0035
Revises: 0034
"""

from __future__ import annotations

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the index hold what is asked of these letters."""
    _replace("mailbox", "created_at", "auto_submitted", "person_id")


def downgrade() -> None:
    """Make the index as it was."""
    _replace("mailbox", "created_at")


def _replace(*columns: str) -> None:
    op.drop_index("ix_letter_mailbox", table_name="letter")
    op.create_index("ix_letter_mailbox", "letter", list(columns))
