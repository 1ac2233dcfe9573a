"""Columns and stored words are named in the field's terms; nothing else changes.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = (
    ("continuation", "first", "first_wins"),
    ("continuation", "drawn", "draws"),
    ("continuation", "second", "second_wins"),
    ("fetch_progress", "place", "mailbox_hash"),
    ("fetch_progress", "validity", "uid_validity"),
    ("fetch_progress", "last", "last_uid"),
    ("fetch_progress", "troubles", "failures"),
    ("match", "undone", "takebacks"),
    ("person", "over_letters", "game_over_letters"),
    ("person", "hours", "off_hours"),
    ("address", "score", "bounce_score"),
    ("address", "scored_at", "bounced_at"),
    ("plan", "met", "pending_move"),
    ("plan", "heard", "last_remark_id"),
    ("rating", "sure_until", "established_until"),
    ("seek", "wanted", "games_wanted"),
    ("seek", "at_once", "games_at_once"),
    ("seek", "taken", "games_begun"),
    ("player", "hours", "off_hours"),
)
"""Tables, with a column's old and new name."""

WORDS = (
    ("token", "purpose", "desk", "commands"),
    ("token", "purpose", "tries", "analysis"),
    ("letter", "state", "told", "merged"),
    ("clock_stop", "cause", "respite", "extension"),
)
"""Tables and columns, with a stored word's old and new spelling."""


def upgrade() -> None:
    """Rename the columns and rewrite the words."""
    for table, old, new in COLUMNS:
        op.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{old}" TO "{new}"')
    for table, column, old, new in WORDS:
        op.execute(f"UPDATE \"{table}\" SET {column} = '{new}' WHERE {column} = '{old}'")
