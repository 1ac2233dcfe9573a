"""No number is given twice: SQLite counts on after rows are gone, and what a lost machine may have given is listed.

With it come the fingerprints by which the processes of a service know that they have the same keys.

Revision ID: 0042
Revises: 0041
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

BEFORE, AFTER = "PRIMARY KEY (id)", "PRIMARY KEY (id AUTOINCREMENT)"


def upgrade() -> None:
    """Add the tables; on SQLite let every table with numbers of its own remember the highest."""
    op.create_table(
        "lost_numbers",
        sa.Column("table_name", sa.String(), nullable=False),
        sa.Column("first", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("kept_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_name", "first"),
    )
    op.create_table(
        "fingerprint",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute("CREATE TABLE counting (id INTEGER PRIMARY KEY AUTOINCREMENT)")  # makes the table of highest numbers
        op.execute("DROP TABLE counting")
        _change_keys(BEFORE, AFTER)


def downgrade() -> None:
    """Take it all away."""
    if op.get_bind().dialect.name == "sqlite":
        _change_keys(AFTER, BEFORE)
        op.execute("DELETE FROM sqlite_sequence")
    op.drop_table("fingerprint")
    op.drop_table("lost_numbers")


def _change_keys(before: str, after: str) -> None:
    """Change the words of the tables alone, as https://www.sqlite.org/lang_altertable.html allows: rows stay as they are."""
    version = op.get_bind().exec_driver_sql("PRAGMA schema_version").scalar_one()
    op.execute("PRAGMA writable_schema = ON")
    op.execute(f"UPDATE sqlite_master SET sql = replace(sql, '{before}', '{after}') WHERE type = 'table'")
    op.execute(f"PRAGMA schema_version = {version + 1}")
    op.execute("PRAGMA writable_schema = RESET")
